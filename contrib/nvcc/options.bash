# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034 # compile.bash uses what is read here
#
# A part of anyshmem-nvcc: nvcc's options, as arrays for the passes of compile.bash.

# What is done: link, compile (-c), preprocess (-E), depend (-M), lib, nothing (device link).
action='link'
output='' language='' optimize='' debug='' device_debug='' standard='' dryrun='' verbose=''
relocatable='' relaxed='' keep='' resource_usage='' shared='' ccbin='' sanitize='' architecture=80 depend_file=''
depend_target='' depend_kind='' cudart=shared run=''
default_stream=legacy
inputs=()     # sources, objects and libraries in their order; a library as -lNAME
both=()       # for both passes: -I -include -f...
macros=()     # -D and -U
host=()       # for the host pass and files that are not CUDA
linker=()

# An option's value: in the same word behind "=", or the next word.
usage_of_version()
{
    echo "anyshmem-nvcc, anyshmem $version: CUDA C++ for CPUs"
    # What build systems look for.
    echo "With the options of nvcc: NVIDIA (R) Cuda compiler driver"
    echo "Cuda compilation tools, release 12.4, V12.4.0"
}

usage_of_help()
{
    cat <<'END'
usage: anyshmem-nvcc [OPTION...] FILE...
CUDA C++ (.cu, or -x cu) becomes code for this machine's CPUs, on which libanyshmem runs
the kernels; no GPU, no driver and no toolkit is needed.  nvcc's options are understood:
  -o FILE                    write there
  -c, -dc                    compile, do not link
  -dlink                     nothing is left to do: an empty object
  -lib, -shared              make a library of the objects; a shared one
  -run                       run the program that was linked
  -E, -M, -MM                preprocess; what the source depends on
  -MD, -MMD, -MF, -MT, -MP   the same, beside the object
  -x LANGUAGE                cu: the files are CUDA, whatever they are called
  -I, -isystem, -include, -D, -U, -L, -l
  -O LEVEL, -g, -G           optimize; for debuggers; the same, and kernels without -O
  -std=STANDARD              c++11 to c++20 [c++17]
  -fsanitize=WHICH           address, thread, undefined; host-memory: see the page
  -rdc=true, -dc             files name each other's device functions and variables; else two
                             files may have the same names for their own
  -arch, -gencode            of GPUs: -arch says what __CUDA_ARCH__ is [sm_80]
  -Xcompiler, -Xlinker       options for clang and the linker
  -ccbin COMPILER            mpicxx, or which clang
  --resource-usage           say which kernels are loops over their threads, and why not
  -v, -dryrun, -keep         show the steps; do not take them; keep what is in between
  --version, --help
Options that only a GPU needs do nothing.  See anyshmem-nvcc(1).
END
}

# NVIDIA's headers, where a toolkit is, come after those that take their place.
add_include()
{
    if [ -e "$1/cuda_runtime.h" ] && ! [ "$1" -ef "$include/cuda" ]; then
        both+=(-idirafter "$1")
    else
        both+=("-I$1")
    fi
}

# Words of -Xcompiler, with commas or spaces between them.
add_host()
{
    local word words
    IFS=', ' read -r -a words <<<"$1"
    for word in "${words[@]}"; do
        case $word in
            -fsanitize=*) sanitize=$sanitize${sanitize:+,}${word#*=} ;;
            -g | -g[0-9]) debug=$word host+=("$word") ;;
            -O*) optimize=${optimize:-$word} ;;
            -fPIC | -fpic | -fPIE | -fpie | '') ;;
            -fopenmp) host+=("$word") linker+=("$word") ;;
            -pthread | -rdynamic | --coverage) host+=("$word") linker+=("$word") ;;
            -std=*) standard=${word#*=} ;;
            -D* | -U*) macros+=("$word") ;;
            -I*) add_include "${word#-I}" ;;
            -Wl,*) linker+=("$word") ;;
            *) host+=("$word") ;;
        esac
    done
}

add_linker()
{
    local word words
    IFS=', ' read -r -a words <<<"$1"
    for word in "${words[@]}"; do
        linker+=(-Xlinker "$word")
    done
}

# The largest architecture that is named, if clang and the headers have it.
set_architecture()
{
    local number
    for number in $(grep -oE '[0-9]+' <<<"$1"); do
        case $number in
            70 | 72 | 75) architecture=$number ;;
            *) architecture=80 ;;
        esac
    done
}

set_relocatable()
{
    relocatable=
    [ "$1" != true ] || relocatable=1
}

# Libraries of NVIDIA's whose place ours take.
add_library()
{
    case $1 in
        cuda | cudart | cudart_static | cudadevrt | nvidia-ml | nvToolsExt | culibos | \
            nvshmem | nvshmem_host | nvshmem_device | anyshmem | anyshmem_device) ;;
        *) inputs+=("-l$1") ;;
    esac
}

# read_valued NAME VALUE: an option that has a value; 1: no such option.
read_valued()
{
    case $1 in
        -o | --output-file) output=$2 ;;
        -x | --x) language=$2 ;;
        -I | --include-path) add_include "$2" ;;
        -isystem | --system-include) both+=(-isystem "$2") ;;
        -include | --pre-include) both+=(-include "$2") ;;
        -D | --define-macro) macros+=("-D$2") ;;
        -U | --undefine-macro) macros+=("-U$2") ;;
        -L | --library-path) linker+=("-L$2") ;;
        -l | --library) add_library "$2" ;;
        -std | --std) standard=$2 ;;
        -O | --optimize) optimize=-O$2 ;;
        -Xcompiler | --compiler-options) add_host "$2" ;;
        -Xlinker | --linker-options) add_linker "$2" ;;
        -ccbin | --compiler-bindir) ccbin=$2 ;;
        -arch | --gpu-architecture | -gencode | --generate-code) set_architecture "$2" ;;
        -MF | --dependency-output) depend_file=$2 ;;
        -MT | -MQ | --dependency-target-name) depend_target=$2 ;;
        -cudart | --cudart) cudart=$2 ;;
        -default-stream | --default-stream) default_stream=$2 ;;
        -rdc | --relocatable-device-code) set_relocatable "$2" ;;
        -fsanitize) sanitize=$sanitize${sanitize:+,}$2 ;;
        -optf | --options-file) read_file "$2" ;;
        -odir | --output-directory) output_folder=$2 ;;
        -keep-dir | --keep-dir) keep=$2 ;;
        -Werror | --Werror) [ "$2" != all-warnings ] || host+=(-Werror) ;;
        -code | --gpu-code | -Xptxas | --ptxas-options | -Xnvlink | --nvlink-options | \
            -Xcudafe | -Xarchive | --archive-options | -maxrregcount | --maxrregcount | -m | \
            --machine | -t | --threads | -ftz | --ftz | \
            -prec-div | --prec-div | -prec-sqrt | --prec-sqrt | -fmad | --fmad | \
            -diag-suppress | --diag-suppress | -diag-error | --diag-error | -diag-warn | \
            --diag-warn | -cudadevrt | --cudadevrt | -target-dir | --target-directory | \
            -split-compile | --split-compile | -libdevice-directory | -nvvm-options | \
            -arch-list | --dopt | -dopt | -opt-info | --opt-info) ;;
        *) return 1 ;;
    esac
}

# read_plain NAME: an option without a value; 1: no such option.
read_plain()
{
    case $1 in
        -c | --compile | -dw | --device-w) action=compile ;;
        -dc | --device-c) action=compile relocatable=1 ;;
        -E | --preprocess) action=preprocess ;;
        -M | --generate-dependencies) action=depend depend_kind=-M ;;
        -MM | --generate-nonsystem-dependencies) action=depend depend_kind=-MM ;;
        -MD | --generate-dependencies-with-compile) depend_kind=-MD ;;
        -MMD | --generate-nonsystem-dependencies-with-compile) depend_kind=-MMD ;;
        -MP | --generate-dependency-targets) host+=(-MP) ;;
        -link | --link) action='link' ;;
        -lib | --lib) action=lib ;;
        -dlink | --device-link) action=nothing ;;
        -shared | --shared) shared=1 linker+=(-shared) ;;
        -run | --run) run=1 ;;
        -g | --debug) debug=-g ;;
        -G | --device-debug) debug=-g device_debug=1 ;;
        -O[0-9s]) optimize=$1 ;;
        -Ofast) optimize=-O3 ;;
        -use_fast_math | --use_fast_math) macros+=(-D__USE_FAST_MATH__) ;;
        -w | --disable-warnings) host+=(-w) quiet=1 ;;
        -pg | --profile) host+=(-pg) linker+=(-pg) ;;
        -v | --verbose) verbose=1 ;;
        -dryrun | --dryrun) dryrun=1 ;;
        -keep | --keep | -save-temps | --save-temps) keep=. ;;
        -V | --version) usage_of_version && exit 0 ;;
        -h | --help) usage_of_help && exit 0 ;;
        -res-usage | --resource-usage) resource_usage=1 ;;
        -expt-relaxed-constexpr | --expt-relaxed-constexpr) relaxed=1 ;;
        -pthread) host+=("$1") linker+=("$1") ;;
        -ptx | --ptx | -cubin | --cubin | -fatbin | --fatbin | -ltoir | --ltoir | -optix-ir | \
            -cuda | --cuda)
            die "$1 makes a file for GPUs; there is none"
            ;;
        -lineinfo | --generate-line-info | -extended-lambda | --extended-lambda | \
            -expt-extended-lambda | --expt-extended-lambda | -restrict | --restrict | \
            -dlto | --dlink-time-opt | -forward-unknown-to-host-compiler | \
            --forward-unknown-to-host-compiler | -forward-unknown-to-host-linker | \
            --forward-unknown-to-host-linker | -clean | --clean | -noprof | --no-compress | \
            -Wno-deprecated-gpu-targets | --Wno-deprecated-gpu-targets | -Wreorder | \
            --Wreorder | -Wdefault-stream-launch | -Wmissing-launch-bounds | \
            -Wext-lambda-captures-this | -allow-unsupported-compiler | \
            --allow-unsupported-compiler | -m64 | --source-in-ptx | -src-in-ptx | \
            -no-device-link | --no-device-link | -nodlink | -objtemp | -time | \
            --display-error-number | -err-no | --no-display-error-number | -no-err-no | \
            --no-host-device-initializer-list | --no-host-device-move-forward | \
            -fdevice-time-trace | -ewp | --extensible-whole-program) ;;
        *) return 1 ;;
    esac
}

# Options whose value stands in the same word without "=".
read_joined()
{
    case $1 in
        -I?* | -D?* | -U?* | -L?* | -l?*) read_valued "${1:0:2}" "${1:2}" ;;
        -O?* | -x?*) read_valued "${1:0:2}" "${1:2}" ;;
        -fsanitize=*) sanitize=$sanitize${sanitize:+,}${1#*=} ;;
        -Wl,*) linker+=("$1") ;;
        -f* | -W* | -m* | --coverage | -rdynamic | -pedantic* | -ansi) add_host "$1" ;;
        *) return 1 ;;
    esac
}

# The words of a file of options.
read_file()
{
    local words
    [ -r "$1" ] || die "$1: cannot be read"
    eval "words=($(tr '\n' ' ' <"$1" | sed 's/[`$]/\\&/g'))"
    options_read "${words[@]}"
}

options_read()
{
    local word
    while [ $# -gt 0 ]; do
        word=$1
        shift
        case $word in
            @*) read_file "${word#@}" && continue ;;
            -) inputs+=("$word") && continue ;;
            -*) ;;
            *) inputs+=("$word") && continue ;;
        esac
        read_plain "$word" && continue
        case $word in
            -*=*) read_valued "${word%%=*}" "${word#*=}" && continue ;;
        esac
        # Those that have a value of their own are known by name; the value is the next word.
        if read_valued "$word" "${1-}"; then
            [ $# -gt 0 ] || die "$word needs a value"
            shift
            continue
        fi
        read_joined "$word" || die "no such option: $word"
    done
}

options_check()
{
    [ ${#inputs[@]} -gt 0 ] || die 'no input files; --help says more'
    sanitizers_check
    case $standard in
        '') standard=c++17 ;;
        c++03 | c++98) die "-std=$standard: CUDA's headers need C++11" ;;
    esac
    local n=0 one
    for one in "${inputs[@]}"; do
        [[ $one == -l* ]] || n=$((n + 1))
    done
    case $action in
        compile | preprocess)
            [ "$n" -le 1 ] || [ -z "$output" ] || die "-o with several files: one at a time"
            ;;
    esac
}
