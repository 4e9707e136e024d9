#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# contrib/debian and contrib/rpm agree with configure.ac, lib/exports and what
# make install installs: version, soname, version nodes, and each installed file is
# in exactly one package, or named among those that are in none.

: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
debian=$srcdir/contrib/debian
spec=$srcdir/contrib/rpm/anyshmem.spec

# same WANTED HAVE WHERE
same()
{
    [ "$1" = "$2" ] || echo "$3: \"$2\", not \"$1\""
}

# Lines without comments.
plain() { grep -hv -e '^#' -e '^$' "$@"; }

version=$(sed -n 's/^AC_INIT(\[anyshmem\], \[\([^]]*\)\].*/\1/p' "$srcdir/configure.ac")
release=$(sed -n '1s/^anyshmem (\(.*\)) .*/\1/p' "$debian/changelog")
{
    [ -n "$version" ] || echo "no version in configure.ac"
    same "$version" "${release%-*}" debian/changelog
    same "$version" "$(sed -n 's/^Version: *//p' "$spec")" "the spec's Version"
    entry=$(sed -n '/^%changelog/{n;s/.*> - //p}' "$spec")
    same "$version-1" "$entry" "the spec's newest entry of %changelog"
    same "$version" "$(sed -n 's/^\([0-9][0-9.]*\).*/\1/p' "$srcdir/NEWS" | head -n 1)" NEWS
} >"$output"
nothing "versions"

# said WANTED FILE PATTERN: the one address or page that the lines with PATTERN in FILE have.
said() { same "$1" "$(sed -n "s|$3|\\1|p" "$2" | sort -u)" "${2##*/}"; }

init=$(sed -n 's/^AC_INIT(\(.*\))$/\1/p' "$srcdir/configure.ac" | tr -d '[]')
address=$(echo "$init" | cut -d, -f3 | tr -d ' ')
home=$(echo "$init" | cut -d, -f5 | tr -d ' ')
author='The anyshmem authors <\([^ >]*\)>.*'
{
    case $address in *@*) ;; *) echo "no address in configure.ac" ;; esac
    said "$address" "$debian/control" "^Maintainer: $author"
    said "$address" "$debian/copyright" "^Upstream-Contact: $author"
    said "$address" "$debian/changelog" "^ -- $author"
    said "$address" "$spec" "^[*].* $author"
    said "$home" "$debian/control" '^Homepage: \(.*\)'
    said "$home" "$debian/copyright" '^Source: \(.*\)'
    said "$home" "$spec" '^URL: *\(.*\)'
} >"$output"
nothing "address and home page are configure.ac's"

# current:revision:age of libtool is .so.(current - age).age.revision on Linux.
interface=$(sed -n 's/^AC_SUBST(\[ASH_INTERFACE\], \[\(.*\)\])/\1/p' "$srcdir/configure.ac")
major=$((${interface%%:*} - ${interface##*:}))
soname=libanyshmem.so.$major
package=libanyshmem$major
{
    same "$soname $package
libanyshmem_cudart.so.$major $package" "$(sed -n 's/^\(libanyshmem.*\) #MINVER#$/\1/p' \
        "$debian/$package.symbols")" "$package.symbols"
    for file in "$debian"/libanyshmem[0-9]*; do
        case ${file##*/} in "$package".*) ;; *) echo "$file: not of $soname" ;; esac
    done
    grep -qxF "Package: $package" "$debian/control" || echo "debian/control: no $package"
    grep -qF "$package (= \${binary:Version})" "$debian/control" ||
        echo "debian/control: libanyshmem-dev does not depend on $package"
    for line in "%{_libdir}/$soname" "%{_libdir}/$soname.*" \
        "%{_libdir}/libanyshmem_cudart.so.$major"; do
        grep -qxF "$line" "$spec" || echo "the spec: no line $line"
    done
} >"$output"
nothing "the soname is $soname"

# Of both libraries, one after the other.
sed -n 's/^\([A-Z][A-Z0-9_.]*\) {$/\1/p' "${builddir:-.}/lib/anyshmem.map" \
    "$srcdir/lib/cudart/cudart.map" >"$output.map"
sed -n 's/^ (symver)\([^ ]*\) \(.*\)$/\1 \2/p' "$debian/$package.symbols" >"$output.nodes"
{
    cut -d' ' -f1 "$output.nodes" | diff "$output.map" - | sed -n 's/^[<>]/& node/p'
    while read -r node since; do
        # It has no release: programs of one release use the library of that one.
        [ "$node" != ANYSHMEM_PRIVATE ] || continue
        same "${node##*_}" "${since%.*}" "the release of $node in $package.symbols"
    done <"$output.nodes"
    [ -s "$output.map" ] || echo "no nodes"
} >"$output"
nothing "version nodes of the map and of $package.symbols (< map, > symbols)"

sed -n 's/^Package: //p' "$debian/control" | while read -r package; do
    [ -s "$debian/$package.install" ] || echo "no $package.install"
done >"$output"
sed -n 's/^Tests: //p' "$debian/tests/control" | while read -r test; do
    [ -x "$debian/tests/$test" ] || echo "no program debian/tests/$test"
done >>"$output"
[ -x "$debian/rules" ] || echo "debian/rules is no program" >>"$output"
nothing "debian/ has what its control files name"

# The recipes of a release have its version and checksum, and nothing that stands for another.
tarball=$output.release/anyshmem-9.8.7.tar.xz
recipes=$output.recipes
mkdir "$output.release" && echo tarball >"$tarball"
"$srcdir/contrib/recipes/fill" "$tarball" https://example.org/files/ https://example.org someone \
    "$recipes" >"$output.filled"
sum=$(sha256sum <"$tarball" | cut -d' ' -f1)
{
    while read -r file; do
        for word in "$sum" 9.8.7 https://example.org/files https://example.org; do
            grep -qF "$word" "$file" || echo "$file: no $word"
        done
        grep -nE '0\.0\.0|0{64}|invalid|maintainer"|- anyshmem-maintainer' "$file" /dev/null
    done <"$output.filled"
    [ -e "$recipes/easybuild/anyshmem-9.8.7-GCC-13.3.0.eb" ] || echo "no easyconfig of 9.8.7"
    same 3 "$(grep -c . "$output.filled")" "recipes"
} >"$output"
nothing "contrib/recipes/fill writes the recipes of a release"

# What they need is what the spec needs.
{
    for module in ucx pmix; do
        least=$(sed -n "s/^BuildRequires: *pkgconfig($module) >= \([0-9.]*\)\$/\1/p" "$spec")
        for wanted in "spack/package.py:\"$module@${least%.0}" \
            "conda-forge/recipe.yaml:- .*$module.* >=${least%.0}"; do
            grep -qe "${wanted#*:}" "$srcdir/contrib/recipes/${wanted%%:*}" ||
                echo "${wanted%%:*}: not $module $least"
        done
    done
} >"$output"
nothing "versions of dependencies in contrib/recipes"

# What is installed, with the library's folder as @LIB@.
${MAKE:-make} -s install DESTDIR="$output.root" >"$output" 2>&1
verdict $? "make install"
prefix=$(find "$output.root" -type d -name bin ! -path "*/anyshmem/*")
prefix=${prefix%/bin}
# Nothing was installed: what is moved below would be the system's own /bin.
if [ -z "$prefix" ]; then
    plan
    exit 1
fi
lib=$(dirname "$(find "$prefix" -name libanyshmem.so)")
mkdir "$output.tree"
mv "$lib" "$output.tree/@LIB@"
for folder in bin include share libexec; do
    [ ! -d "$prefix/$folder" ] || mv "$prefix/$folder" "$output.tree/"
done
find "$output.root" ! -type d | sed "s|^$output.root|not looked at: |" >"$output"
(cd "$output.tree" && find . ! -type d) | sed 's|^\./||' | sort >"$output.installed"
[ "$(grep -c . "$output.installed")" -gt 3000 ] || echo "few files" >>"$output"
nothing "all of it is below one prefix"

# Lines "PACKAGE PATTERN": of debian, where "none" is not-installed ...
debian_patterns()
{
    for list in "$debian"/*.install; do
        package=${list##*/}
        # A second word is the folder in the package.
        plain "$list" | sed "s| .*||; s|^|${package%.install} |"
    done
    plain "$debian/not-installed" | sed 's|^|none |'
}

# ... and of the spec, where it is what %install removes.
spec_patterns()
{
    awk '/^%if/ { next }
        /^%(files|prep|build|install|changelog)/ { package = $1 == "%files" ? ($2 ? $2 : "tools") : "" }
        package != "" && $1 == "%dir" { next }
        package != "" && /^%\{/ { print package, $1 }
        $1 == "rm" { for (i = 2; i <= NF; i++) if (sub("%{buildroot}", "", $i)) print "none", $i }' \
        "$spec" | sed -e 's|%{_libdir}|@LIB@|' -e 's|%{_bindir}|bin|' -e 's|%{_mandir}|share/man|' \
        -e 's|%{_includedir}|include|' -e 's|%{_datadir}|share|' \
        -e 's|%{_libexecdir}|libexec|'
}

# Lines "FILE PACKAGE" of such lines; a pattern without a file on stderr.
expand()
(
    cd "$output.tree" || exit
    while read -r package pattern; do
        # shellcheck disable=SC2086 # to be expanded
        set -- $pattern
        if [ -e "$1" ] || [ -L "$1" ]; then
            find "$@" ! -type d | sed "s|\$| $package|"
        else
            echo "$package: $pattern is not installed" >&2
        fi
    done
)

# once TEXT: each installed file is in one line of $output.packed.
once()
{
    cut -d' ' -f1 "$output.packed" | sort | uniq -d | sed 's/$/: in two packages/' >>"$output"
    cut -d' ' -f1 "$output.packed" | sort -u | comm -13 - "$output.installed" |
        sed 's/$/: in no package/' >>"$output"
    nothing "$1"
}

# A file that may or may not be there, and is in none of these packages.
unless_absent()
{
    while read -r package file; do
        [ ! -e "$output.tree/$file" ] || echo "$package $file"
    done
}

# Without nvcc nothing of the device library is there, and without clang no bitcode; Debian's
# packages have none.  anyshmem-nvcc is there only with LLVM.
# Manual pages are compressed later, which changes their names.
spec_patterns | sed 's/\.\([0-9]\)\*$/.\1/' >"$output.spec"
grep '^cuda-devel ' "$output.spec" >"$output.cuda"
[ "$(grep -c . "$output.cuda")" -eq 3 ] || echo "the spec's cuda-devel has other files" >"$output"
{
    grep -Ev '^(cuda-devel|nvcc) ' "$output.spec"
    { grep -E '^(cuda-devel|nvcc) ' "$output.spec" && echo none @LIB@/libanyshmem.a &&
        echo none @LIB@/anyshmem/nvshmem/lib/libnvshmem_device.bc; } | unless_absent
} >"$output.patterns"
expand <"$output.patterns" >"$output.packed" 2>>"$output"
once "the spec: each file is in one package"

{
    debian_patterns | sed -e 's|usr/lib/\*/|@LIB@/|' -e 's|usr/||' >"$output.debian"
    grep -v '^anyshmem-nvcc ' "$output.debian"
    # The folder of NVSHMEM's names is in a package as a whole.
    { grep '^anyshmem-nvcc ' "$output.debian" &&
        sed -n '/nvshmem\//!s/^cuda-devel/none/p' "$output.cuda" && echo none @LIB@/libanyshmem.a; } |
        unless_absent
} >"$output.patterns"
expand <"$output.patterns" >"$output.packed" 2>"$output"
once "debian/: each file is in one package"

# The module's folders are those of make install.
module=$(find "$output.tree/share/anyshmem/modulefiles" -type f)
{
    same "$version" "${module##*/}" "the module's name"
    head -n 1 "$module" | grep -qx '#%Module.*' || echo "the module's first line"
    grep -n '@' "$module"
    awk '$1 == "prepend-path" { print $3 }' "$module" | while read -r folder; do
        [ "${folder#/}" != "$folder" ] || echo "no path: $folder"
    done
    grep -c '^prepend-path' "$module" | grep -vx 7
    shmem=$(sed -n 's|^prepend-path PATH .*\(/anyshmem/.*\)$|\1|p' "$module")
    [ -x "$output.tree/@LIB@$shmem/oshcc" ] || echo "no oshcc on the module's PATH"
} >"$output"
nothing "the module"
plan
