# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154 # options.bash reads the options
#
# A part of anyshmem-nvcc: the passes, the link, and where clang is.

# The version of a clang; nothing for what is none.
major_of()
{
    command -v "$1" >/dev/null || return 0
    "$1" -dM -E -x c /dev/null 2>/dev/null | sed -n 's/^#define __clang_major__ //p'
}

# The clang of the version $1.
find_clang()
{
    local one
    for one in "${ccbin:-none}" "clang++-$1" "clang-$1" clang++ clang \
        "/usr/lib/llvm-$1/bin/clang++"; do
        case $one in
            *clang*) ;;
            *) continue ;;
        esac
        [ "$(major_of "$one")" = "$1" ] || continue
        clang=$(command -v "$one")
        case $clang in
            *clang++*) ;;
            *) clang_mode=(--driver-mode=g++) ;;
        esac
        return
    done
    return 1
}

# IR of one version of LLVM is not another's: a tool, and the clang of its version; the tool for
# the clang that -ccbin names, if there is one.
find_tool()
{
    local which missing='' named=''
    [[ $ccbin != *clang* ]] || named=$(major_of "$ccbin")
    for which in ${named:+named} any; do
        for tool in "$tools/anyshmem-nvcc-ir" "$tools/anyshmem-nvcc-ir2"; do
            [ -x "$tool" ] || continue
            major=$("$tool" -V) || die "$tool does not run"
            [ "$which" = any ] || [ "$named" = "$major" ] || continue
            find_clang "$major" && return
            missing=${missing:-$major}
        done
    done
    die "no clang $missing: install it (Debian: apt install clang-$missing)"
}

# A compiler of MPI brings its own flags and calls ours.
find_host_compiler()
{
    clang_mode=()
    find_tool
    compiler=("$clang" "${clang_mode[@]}")
    case $(basename -- "${ccbin:-none}") in
        mpi*)
            export OMPI_CXX=$clang OMPI_CC=$clang MPICH_CXX=$clang MPICH_CC=$clang
            compiler=("$ccbin" "${clang_mode[@]}")
            ;;
    esac
}

# clang's OpenMP is a package of its own.
check_openmp()
{
    [[ " ${host[*]} " == *' -fopenmp '* ]] || return 0
    echo '#include <omp.h>' | "$clang" -fopenmp -fsyntax-only -x c++ - 2>/dev/null ||
        die "-fopenmp: clang has no omp.h: install it (Debian: apt install libomp-$major-dev)"
}

quote()
{
    local word
    for word; do
        printf ' %q' "$word"
    done
    echo
}

step()
{
    [ -z "$verbose$dryrun" ] || { printf '#$' && quote "$@"; } >&2
    [ -n "$dryrun" ] || "$@"
}

# What CMake reads of nvcc's words: where a toolkit and its libraries are, for which GPUs it
# compiles, and with which line it links.
tell_places()
{
    [ -n "$verbose$dryrun" ] || return 0
    {
        printf '#$ PATH=%s\n#$ TOP=%s\n' "$PATH" "$home"
        printf '#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n' "$home"
        printf '#$ INCLUDES=-I%q\n#$ LIBRARIES=-L%q\n' "$include/cuda" "$libdir"
        printf '#$ ARCHITECTURE=-arch compute_%s\n' "$architecture"
    } >&2
}

common_flags()
{
    common=(-nocudainc -nocudalib "--cuda-path=$scratch/empty" -Xclang -target-sdk-version=11.0
        -Xclang -fcuda-allow-variadic-functions -Wno-unknown-cuda-version -Wno-pass-failed
        -Wno-unused-command-line-argument -Wno-unknown-warning-option "-std=$standard"
        -D__CUDA_ARCH_LIST__="${architecture}0" -isystem "$include/cuda" -include wrapper.h
        ${generated:+-isystem "$generated"} -isystem "$include")
    [ -z "$quiet" ] || common+=(-w)
    [ -z "$relocatable" ] || common+=(-D__CUDACC_RDC__)
    [ -z "$relaxed" ] || common+=(-D__CUDACC_RELAXED_CONSTEXPR__)
    [ "$default_stream" != per-thread ] || common+=(-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1)
    if [ "$major" -ge 20 ]; then
        common+=(--no-offload-new-driver)
    fi
}

# Macros of the program are not for the headers that come before its first line: -DN=4 would
# change names of parameters there.  Those of the C library's are.
macro_flags()
{
    local one text
    : >"$scratch/macros.h"
    for one in "${macros[@]}"; do
        case $one in
            -?_* | -?NDEBUG | -?NDEBUG=* | -?CUDA_* | -?CUDART_*) common+=("$one") ;;
            -D*=*) text=${one#-D} && echo "#define ${text%%=*} ${text#*=}" >>"$scratch/macros.h" ;;
            -D*) echo "#define ${one#-D} 1" >>"$scratch/macros.h" ;;
            -U*) echo "#undef ${one#-U}" >>"$scratch/macros.h" ;;
        esac
    done
    [ ! -s "$scratch/macros.h" ] || common+=(-include "$scratch/macros.h")
}

# With -g the device pass must not optimize: clang gives device code lines alone otherwise.
device_flags()
{
    # The host pass gives the warnings.
    device=(-w --cuda-device-only "--cuda-gpu-arch=sm_$architecture" -Xclang -target-feature
        -Xclang +ptx70 -S -emit-llvm)
    if [ -n "$debug$device_sanitize$device_undefined$check_memory" ]; then
        device+=(-O0 -Xclang -disable-O0-optnone -Xclang -dwarf-version=4 -g)
    else
        # Below -O2 clang would forbid to unroll loops.
        device+=(-O2 -Xclang -disable-llvm-passes -gline-tables-only)
    fi
    [ -z "$device_undefined" ] || device+=(-Xclang "-fsanitize=$device_undefined"
        -Xclang "-fsanitize-recover=$device_undefined")
    # Pragmas of loops that clang cannot follow: nvcc does not say so either.
    generate=(-fPIC -Wno-override-module -Wno-pass-failed "${optimize:--O2}")
    # Loops over threads gain from it.
    [ "${optimize:--O2}" != -O2 ] || [ -n "$debug" ] || generate+=(-O3)
    [ -z "$device_debug" ] || generate+=(-O0)
    [ -z "$debug" ] || generate+=("$debug")
    [ -z "$sanitize" ] || generate+=("-fsanitize=$sanitize" -fno-omit-frame-pointer)
}

host_flags()
{
    host_pass=(-fPIC)
    [ -z "$optimize" ] || host_pass+=("$optimize")
    [ -z "$debug" ] || host_pass+=("$debug")
    [ -z "$sanitize" ] || host_pass+=("-fsanitize=$sanitize" -fno-omit-frame-pointer)
}

# depend_flags SOURCE OBJECT: for the host pass.
depend_flags()
{
    depend=()
    [ -n "$depend_kind" ] || return 0
    depend=("$depend_kind" -MT "${depend_target:-$2}")
    local file=$depend_file
    [ -n "$file" ] || file=${2%.*}.d
    [ "$action" = depend ] || depend+=(-MF "$file")
}

# What nvcc takes and clang does not becomes something else in a copy, whose lines are the source's.
rewrite()
{
    source_flags=()
    rewritten=$1
    [ -z "$dryrun" ] || return 0
    "$tool" -l "$1" -o "$scratch/rewritten.cu" "$1"
    case $? in
        0)
            rewritten=$scratch/rewritten.cu
            source_flags=(-iquote "$(dirname -- "$1")")
            ;;
        3) ;;
        *) exit 1 ;;
    esac
}

# globalize BASE: what stands for a variable of the device in the host half is clang's own there;
# with -rdc=true other files name it, too.
globalize()
{
    [ -z "$dryrun" ] || return 0
    nm -g --defined-only "$1.device.o" |
        sed -n 's/^[0-9a-f]* [BDRS] \(.*\)\.device$/\1/p' >"$1.names"
    [ ! -s "$1.names" ] || step objcopy --globalize-symbols="$1.names" "$1.host.o"
}

# compile_cuda SOURCE OBJECT
compile_cuda()
{
    local base=$scratch/$((++n_compiled)) unit
    rewrite "$1"
    unit=$(printf '%s\n' "$PWD" "$1" "$2" "${both[@]}" "${macros[@]}" | sha256sum | cut -c1-32)
    depend_flags "$1" "$2"
    step "${compiler[@]}" -x cuda "${common[@]}" "${device[@]}" "${both[@]}" "${source_flags[@]}" \
        -o "$base.gpu.ll" "$rewritten" || return 1
    step "$tool" ${debug:+-g} ${device_sanitize:+-s "$device_sanitize"} ${check_memory:+-m} \
        ${relocatable:+-r} ${resource_usage:+-v} -u "$unit" -o "$base.ll" "$base.gpu.ll" || return 1
    step "$clang" -c -x ir "${generate[@]}" -o "$base.device.o" "$base.ll" || return 1
    # The runtime reads a string; newer versions of clang take the file's bytes and no more.
    printf '%s\0' "$unit" >"$base.unit"
    step "${compiler[@]}" -x cuda --cuda-host-only "${common[@]}" "${host_pass[@]}" \
        "${host[@]}" "${both[@]}" "${depend[@]}" "${source_flags[@]}" \
        -Xclang -fcuda-include-gpubinary \
        -Xclang "$base.unit" -c -o "$base.host.o" "$rewritten" || return 1
    [ -z "$relocatable" ] || globalize "$base" || return 1
    step ld -r -o "$2" "$base.host.o" "$base.device.o" || return 1
    # What lies in the scratch folder is gone when somebody reads that.
    [ ${#depend[@]} -eq 0 ] || [ -n "$dryrun" ] ||
        sed -i "s|$rewritten|$1|; s|$scratch/macros.h||" "${depend[${#depend[@]} - 1]}"
}

# compile_host SOURCE OBJECT: what is not CUDA.
compile_host()
{
    local flags=("${compiler[@]}")
    depend_flags "$1" "$2"
    case $1 in
        *.c) flags=("$clang" --driver-mode=gcc) ;;
        *) flags+=("-std=$standard") ;;
    esac
    step "${flags[@]}" -D__NVCC__ ${generated:+-isystem "$generated"} -isystem "$include" \
        -idirafter "$include/cuda" "${host_pass[@]}" "${host[@]}" "${macros[@]}" "${both[@]}" \
        "${depend[@]}" -c -o "$2" "$1"
}

is_cuda()
{
    case $language in
        cu | cuda) return 0 ;;
        '') [[ $1 == *.cu ]] ;;
        *) return 1 ;;
    esac
}

compile()
{
    if is_cuda "$1"; then
        compile_cuda "$@"
    else
        compile_host "$@"
    fi
}

is_source()
{
    [[ $1 != -l* ]] || return 1
    case $1 in
        *.cu | *.c | *.cc | *.cpp | *.cxx | *.C) return 0 ;;
        *.o | *.a | *.so | *.so.* | *.obj) return 1 ;;
        *) [ -n "$language" ] || die "$1: neither source nor object; -x cu says that it is CUDA" ;;
    esac
}

without_scratch()
{
    if [ "$action" = depend ]; then
        sed "s| *$scratch/macros.h||"
    else
        cat
    fi
}

# -E, -M: by the host pass.
preprocess()
{
    local kind=("$1") one
    for one in "${inputs[@]}"; do
        is_source "$one" || continue
        [ "$1" = -E ] || kind+=(-MT "${depend_target:-$(basename -- "${one%.*}").o}")
        [ -z "$output" ] || kind+=(-o "$output")
        if is_cuda "$one"; then
            step "${compiler[@]}" -x cuda --cuda-host-only "${common[@]}" "${host[@]}" \
                "${both[@]}" "${kind[@]}" "$one" | without_scratch || return 1
        else
            step "${compiler[@]}" -I"$include" "${host[@]}" "${macros[@]}" "${both[@]}" \
                "${kind[@]}" "$one" || return 1
        fi
    done
}

# The objects of all inputs, in their order, in `objects`.
compile_all()
{
    local one object
    objects=()
    for one in "${inputs[@]}"; do
        if ! is_source "$one"; then
            objects+=("$one")
            continue
        fi
        object=${output_folder:-.}/$(basename -- "${one%.*}").o
        if [ "$action" = compile ]; then
            object=${output:-${object#./}}
        else
            object=$scratch/$((++n_objects)).o
        fi
        compile "$one" "$object" || return 1
        objects+=("$object")
    done
}

link()
{
    local ours=(-L"$libdir" -lanyshmem_cudart -lanyshmem -lm -lpthread -ldl -lrt)
    case $libdir in
        /usr/lib | /usr/lib64 | /usr/lib/*-linux-gnu | /lib/*) ;;
        *) ours+=("-Wl,-rpath,$libdir") ;;
    esac
    [ "$cudart" != none ] || ours=()
    sanitizer_options || return 1
    step "${compiler[@]}" ${debug:+"$debug"} ${sanitize:+"-fsanitize=$sanitize"} \
        -o "${output:-a.out}" "${objects[@]}" "${linker[@]}" "${ours[@]}"
}

main()
{
    find_host_compiler
    tell_places
    check_openmp
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/anyshmem-nvcc.XXXXXX") || exit 2
    if [ -n "$keep" ]; then
        echo "anyshmem-nvcc: what is in between is kept in $scratch" >&2
    else
        # shellcheck disable=SC2064 # the folder of now
        trap "rm -rf '$scratch'" EXIT
    fi
    mkdir "$scratch/empty" || exit 2
    n_compiled=0 n_objects=0
    common_flags
    macro_flags
    device_flags
    host_flags
    case $action in
        preprocess) preprocess -E || exit 1 ;;
        depend) preprocess "$depend_kind" || exit 1 ;;
        nothing) step "$clang" -x c -c -o "${output:-a_dlink.o}" /dev/null || exit 1 ;;
        compile) compile_all || exit 1 ;;
        lib) compile_all && step ar rcs "${output:-a.a}" "${objects[@]}" || exit 1 ;;
        link) compile_all && link || exit 1 ;;
    esac
    [ -z "$run" ] || step "$(readlink -f "${output:-a.out}")"
}
