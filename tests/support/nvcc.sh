# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034 # who reads this uses the names
#
# For scripts that compile with anyshmem-nvcc of the build folder; with tap.sh:
#
#   $nvcc        the compiler; the script has left with a SKIP if there is none
#   $nvcc_second the option for the clang of the second LLVM that configure found, if it is there
#   $scratch     a folder, removed at exit
#   nvcc_together   verdicts of the commands of standard input, lines "NAME|COMMAND", of which
#                as many run at once as there are processors
#   nvcc_libraries   programs find the build folder's libraries, also as jobs
#   nvcc_build NAME FILE OPTION...   compile $scratch/NAME, of which nothing may be said
#   nvcc_line FILE WORD   the line that is marked with the word
#   nvcc_can     whether clang has the sanitizer -fsanitize=$1

# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
nvcc_leave()
{
    echo "1..0 # SKIP $*"
    exit 0
}
nvcc=$builddir/contrib/nvcc/anyshmem-nvcc
[ -x "$nvcc" ] || nvcc_leave "anyshmem-nvcc was not built: configure's summary says why"
[ -e "$builddir/.libs/libanyshmem_cudart.so" ] || nvcc_leave "no CUDA runtime was built"
! sanitized || nvcc_leave "programs would need the sanitizer of the library"
nvcc=$(cd "${nvcc%/*}" && pwd -P)/anyshmem-nvcc
scratch=$output.d
mkdir "$scratch" || exit 99
printf '__global__ void kernel() {}\nint main() { kernel<<<1, 1>>>(); }\n' >"$scratch/try.cu"
"$nvcc" -c -o "$scratch/try.o" "$scratch/try.cu" >"$output" 2>&1 || {
    grep -q 'anyshmem-nvcc: no clang' "$output" && nvcc_leave "$(cat "$output")"
    echo "Bail out! anyshmem-nvcc does not compile: $(head -n 3 "$output")"
    exit 99
}
nvcc_second=
if nvcc_major=$("$nvcc-ir2" -V 2>/dev/null) && command -v "clang++-$nvcc_major" >/dev/null; then
    nvcc_second=-ccbin=clang++-$nvcc_major
fi
nvcc_libraries()
{
    libs=$(cd "$builddir/.libs" && pwd -P) || exit 99
    export LD_LIBRARY_PATH="$libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
nvcc_build()
{
    nvcc_name=$1 nvcc_source=$2
    shift 2
    "$nvcc" "$@" -o "$scratch/$nvcc_name" "$nvcc_source" >"$output" 2>&1 && [ ! -s "$output" ]
    verdict $? "$nvcc_name compiles"
}
nvcc_line()
{
    grep -n "/\* $2 \*/" "$1" | head -n 1 | cut -d: -f1
}
nvcc_can()
{
    echo 'int main() {}' >"$scratch/can.cc"
    "$nvcc" "-fsanitize=$1" -o "$scratch/can" "$scratch/can.cc" >"$output" 2>&1 &&
        "$scratch/can" >"$output" 2>&1
}
# shellcheck source=tests/support/together.sh
. "$srcdir/tests/support/together.sh"
nvcc_together()
{
    cat >"$scratch/together"
    rm -rf "$scratch/said"
    mkdir "$scratch/said"
    sed 's/^[^|]*|//' "$scratch/together" | together "$scratch/said"
    line=0
    while IFS='|' read -r name _; do
        line=$((line + 1))
        cp "$scratch/said/$line" "$output"
        verdict "$(cat "$scratch/said/$line.status")" "$name"
    done <"$scratch/together"
}
