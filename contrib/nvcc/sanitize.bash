# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154 # the other parts read and write these names
#
# A part of anyshmem-nvcc: what -fsanitize= means for each half of a file and for the link.

# What of -fsanitize= the device half has: a function's attribute, the checks of UBSan that do
# not need the C++ library, and host-memory, which is ours alone.
sanitizers_check()
{
    local one all
    local undefined=,alignment,array-bounds,bool,builtin,enum,integer-divide-by-zero,null,
    undefined+=pointer-overflow,return,shift-base,shift-exponent,signed-integer-overflow,
    undefined+=unreachable,
    IFS=, read -r -a all <<<"$sanitize"
    sanitize='' device_sanitize='' device_undefined='' check_memory=''
    for one in "${all[@]}"; do
        case $one in
            host-memory) check_memory=1 && continue ;;
            thread | address) device_sanitize=$one ;;
            undefined) device_undefined=${undefined:1:-1} ;;
            bounds) device_undefined+=,array-bounds ;;
            shift) device_undefined+=,shift-base,shift-exponent ;;
            *) [[ $undefined != *,$one,* ]] || device_undefined+=,$one ;;
        esac
        sanitize=$sanitize${sanitize:+,}$one
    done
    device_undefined=${device_undefined#,}
}

# llvm-symbolizer is a package of its own; addr2line comes with the linker.
symbolizer()
{
    local one
    for one in "$(dirname -- "$(readlink -f "$clang")")/llvm-symbolizer" "llvm-symbolizer-$major" \
        llvm-symbolizer addr2line; do
        one=$(command -v "$one") || continue
        echo "external_symbolizer_path=$one"
        return
    done
}

# Options of the sanitizers that a user would have to set to see lines: one file more in the link,
# if no object of the program has them.
sanitizer_options()
{
    local one name=''
    case ,$sanitize, in
        *,thread,*) name=__tsan_default_options ;;
        *,address,*) name=__asan_default_options ;;
        ,,) return 0 ;;
        *) name=__ubsan_default_options ;;
    esac
    for one in "${objects[@]}"; do
        [[ $one == -l* ]] || ! nm "$one" 2>/dev/null | grep -q " T $name\$" || return 0
    done
    {
        echo "const char *$name(void) { return \"print_suppressions=0:$(symbolizer)\"; }"
        # What PMIx and UCX keep until the end of a PE.  Weak: a program may have its own.
        echo 'const char *__lsan_default_suppressions(void) __attribute__((weak));'
        printf 'const char *__lsan_default_suppressions(void) { return ""'
        printf '"leak:lib%s\\n"' pmix ucs ucp uct ucm event hwloc
        echo '; }'
    } >"$scratch/options.c"
    step "$clang" --driver-mode=gcc -fPIC -c -o "$scratch/options.o" "$scratch/options.c" ||
        return 1
    objects+=("$scratch/options.o")
}
