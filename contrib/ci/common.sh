# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# For the scripts of this folder: . "${0%/*}/common.sh"
# Each of them runs alone, in a fresh clone on a bare Debian.  It installs what is
# missing (contrib/install-deps, by sudo where that is needed), builds in build-ci/NAME,
# shows each command before it runs it, and ends with one line: passed, or what failed.
#
#   FULL=1                all of it, however long that takes; without, a sample of half
#                         an hour at most with two processors
#   LAUNCHER, CUDA_ARCH   see contrib/quickstart
#
#   full                  true with FULL=1
#   part NAME             say what comes next
#   run COMMAND...        a command; if it fails, so does the script, which goes on
#   must COMMAND...       the same, but the script ends there
#   tests FOLDER "OPTIONS" [NAME=VALUE...]   configure with these options, build in
#                         build-ci/FOLDER, and make check with these variables
#   sample FOLDER "OPTIONS" "TESTS=..." [NAME=VALUE...]   the same, but no program is compiled that
#                         is not for these tests: unit tests, fuzzers and lists of tests/pe
#   fuzz NAME EXECUTIONS SEED   a fuzzer of $build, with so many sequences of random bytes
#   all_ran FOLDER [PATTERN]   a test of build-ci/FOLDER/tests/api that was skipped is a
#                         failure, except those whose lines have PATTERN
#   find_cuda FOLDER      prints where CUDA is, bin/nvcc and all: on this machine, or from
#                         PyPI in FOLDER/nvcc; fails if there is none
#   verdict               the last line, and the exit status
set -u
cd "${0%/*}/../.." || exit 99
job=$(basename "$0")
failed=

full() { [ "${FULL:-0}" = 1 ]; }

part()
{
    echo
    echo "== $job: $*"
}

run()
{
    echo "+ $*"
    "$@" && return
    failed="$failed${failed:+; }$*"
    return 1
}

verdict()
{
    if [ -z "$failed" ]; then
        echo "ci/$job: passed"
        exit 0
    fi
    echo "ci/$job: FAILED: $failed"
    exit 1
}

must() { run "$@" || verdict; }

tests()
{
    tests_folder=$1
    tests_options=$2
    shift 2
    run env "BUILD=build-ci/$tests_folder" "CONFIGURE=$tests_options" contrib/quickstart check "$@"
}

sample() { tests "$@" check_DATA= "check_PROGRAMS=$(echo "${3#TESTS=}" | sed 's/[.]pe\>//g')"; }

fuzz() { run env "srcdir=$PWD" "$build/tests/fuzz/$1" -n "$2" -s "$3"; }

all_ran()
{
    skipped=$(find "build-ci/$1/tests/api" -name '*.trs' | sed 's/trs$/log/' |
        xargs grep -H '^ok .*# SKIP\|^1\.\.0 # SKIP' | grep -v "${2:-^$}" | sed 's|.*/||')
    [ -n "$skipped" ] || return 0
    echo "$skipped"
    skipped=$(echo "$skipped" | sed 's/\.log:.*//' | sort -u | tr '\n' ' ')
    failed="$failed${failed:+; }skipped: ${skipped% }"
}

find_cuda()
{
    if PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null; then
        dirname "$(dirname "$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)")"
        return
    fi
    mkdir -p "$1"
    [ -x "$1/nvcc/bin/pip" ] || run python3 -m venv "$1/nvcc" >&2 || return
    run "$1/nvcc/bin/pip" install -q --disable-pip-version-check nvidia-cuda-nvcc==13.0.88 \
        nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96 \
        nvidia-cuda-cccl==13.0.85 >&2 || return
    found=$(find "$PWD/$1/nvcc" -path '*/bin/nvcc' | head -n 1)
    [ -n "$found" ] && dirname "${found%/nvcc}"
}
