#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Layers: include <- device <- proxy <- lib <- tests, and the same between the folders
# inside device and lib.  A file may include, and call, what is in its own folder and in
# those below it, and only a few files may know a system or another library.  The
# exceptions stand here, each with its reason.

: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
cd "$srcdir" || exit 99
# Lines "FILE HEADER", the header with its < or ".  Those of include/cuda are for another compiler.
all=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' include device proxy lib tests \
    --include='*.[ch]' --include='*.cu' --include='*.h.in' --include='*.cuh' |
    grep -v '^include/cuda/' | sed -E 's/^([^:]+):[0-9]+:[^<"]*([<"][^>"]+)[>"].*/\1 \2/')

# allow TEXT FILES HEADERS: what the files include matches one of the headers.
allow()
{
    nothing "$1" "$(echo "$all" | grep -E "^($2) " | grep -vE " ($3)\$")"
}

# only TEXT HEADERS FILES: nobody but these files includes the headers.
only()
{
    nothing "$1" "$(echo "$all" | grep -E " ($2)\$" | grep -vE "^($3) ")"
}

# In a constant time, so that nobody finds a key bit by bit.
nothing "keys are compared by lib/base/key.h alone" \
    "$(grep -rnE 'memcmp *\([^;]*[^a-z_]key\b' lib proxy --include='*.[ch]')"

# What a macro names would be overlooked below.
nothing "no header is named by a macro" \
    "$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[A-Za-z_]' include device proxy lib tests \
        --include='*.[ch]' --include='*.cu' --include='*.h.in' --include='*.cuh')"
lines=$(echo "$all" | grep -c .)
nothing "there are #include lines to look at" "$([ "$lines" -gt 100 ] || echo "$lines lines")"

public='[<"](nvshmemx?\.h|anyshmem_kernel\.h|(mpp/|p)?shmemx?\.h|ishmemx?\.h|i?(nv)?shmem/[a-z_]+\.h)'
# CUDA's types stand in the headers for users of CUDA, and what NVIDIA's headers bring in one.
cuda='<(cuda_runtime_api|cuda_bf16|cuda_fp16)\.h'
brings='<(cuda|cuda_runtime|cooperative_groups|assert|errno|limits|stdio|stdlib|string)\.h'
# What a device routine needs from C: no system.
plain='<(stddef|stdint|stdbool|string|errno)\.h'
# What the threads of the host device need, and what its contexts tell the tools.
threads='<(pthread|sched|semaphore|stdlib|unistd|time|ucontext|signal)\.h|<sys/mman\.h'
threads="$threads|<(sanitizer|valgrind)/[a-z_]+\.h|<limits\.h|<linux/futex\.h|<sys/syscall\.h"

# CUDA's headers, for programs that anyshmem-nvcc compiles, are as free as NVIDIA's.
allow "include/ knows only itself, stddef, stdint" 'include/([^c].*|c[^u].*)' \
    "$public|<(stddef|stdint|stdbool)\.h|<complex|$cuda|$brings"
only "one header brings what NVIDIA's bring" "$brings" \
    'include/nvshmem/cuda\.h|include/cuda/.*|(device|proxy|lib|tests)/.*'
device='"device/[a-z]+/[a-z_]+\.h'
# All device code in one unit.
nothing "device code is included by the unit of the bitcode alone" \
    "$(echo "$all" | grep '\.cu$' | grep -v '^device/api/bitcode\.cu ')"
all=$(echo "$all" | grep -v '^device/api/bitcode\.cu ')
allow "device/ knows include/ and itself" \
    'device/(gpu|routine|channel|target|state)/.*|device/api/.*' \
    "$public|$device|$plain|<assert\.h|<__clang_cuda_builtin_vars\.h"
allow "the host device, streams and observation know threads as well" 'device/(hostdev|stream|observe)/.*' \
    "$public|$device|$plain|$threads"
allow "device/ has no other folder" 'device/.*' \
    "$public|$device|$plain|$threads|<assert\.h|<__clang_cuda_builtin_vars\.h"
# Of lib/ the proxy knows how to say what is wrong.
base='"lib/base/(key|log|error|end|kept|cause|fault|deadline|text|times)\.h'
systems='<[^/]*|<sys/.*|<net/if\.h|<ucp/api/ucp\.h|<ucs/.*|<linux/membarrier\.h'
allow "proxy/ knows device/, itself, and what lib/base says of errors" 'proxy/.*' \
    "$public|\"device/.*|\"proxy/.*|$base|$systems"
allow "lib/ knows the proxy by one header" 'lib/.*' \
    "$public|\"device/.*|\"proxy/proxy\.h|\"lib/.*|<[^/]*|<(sys|net|netinet|arpa)/.*|\"config\.h"

only "UCX stands in proxy/" '<uc[pst]/.*' 'proxy/(connection|ucx/[a-z]+|failure/heartbeat)\.[ch]|tests/.*'
only "PMIx stands in the files of its name" '<pmix.*' 'lib/bootstrap/pmix(_[a-z]+)?\.[ch]|tests/(preload|multihost)/.*|tests/perf/scale_pmix\.c'
loads='cuda/driver|cudart/(entry_point|function|check)|bootstrap/mpi_library'
only "loading at run time, and what an address is, stand in few files" '<dlfcn\.h' \
    "lib/($loads|base/(place|exit_status)|report/crash)\.c|tests/.*"
only "CUDA stands in the headers for it" '<cu(da)?[a-z_/]*\.h' \
    'include/(nvshmem/(cuda(_types)?|types)\.h|cuda/.*)|(lib/cudart|tests)/.*|device/target/cuda\.h'
# Unit tests reach inside; what runs as a job does not.
allow "tests of jobs know the public interface alone" 'tests/(pe|support|api|conformance|programs|soak|inject)/.*' \
    "$public|\"tests/(support|pe|conformance)/.*|<[^/]*|<sys/.*"

# The floors inside device and lib, from the top; what includes and calls go down only, so
# there is no circle of folders.  proxy is one floor: its post, message, connection,
# transfer pool and failure files call each other, for the end of a transfer starts the next.
floors='lib/cudart lib/start lib/symmetric lib/watch lib/cuda lib/bootstrap lib/report lib/memory
    lib/base proxy device/api device/gpu device/stream device/routine device/channel device/observe
    device/target device/hostdev device/state include'
sources=$(find device lib -name '*.[ch]' -o -name '*.cu' | sort)

# Lines "FILE OTHER NAME": FILE has the name of a function that OTHER defines.  A definition
# begins a line and comes to a brace before a semicolon; what a struct is called is no call.
calls()
{
    # shellcheck disable=SC2086 # a list of files
    awk '
        FNR == 1 { comment = 0; head = "" }
        {
            line = $0
            gsub(/"([^"\\]|\\.)*"/, "", line)
            if (comment && !sub(/^.*\*\//, "", line)) next
            comment = 0
            while (match(line, /\/\*/)) {
                rest = substr(line, RSTART + 2)
                line = substr(line, 1, RSTART - 1)
                if (!match(rest, /\*\//)) { comment = 1; break }
                line = line " " substr(rest, RSTART + 2)
            }
            if (head == "" && line ~ /^[A-Za-z_].*[ *](ash|dev)_[a-z0-9_]+\(/ && line !~ /[=]/) {
                head = line
                sub(/\(.*/, "", head)
                sub(/.*[ *]/, "", head)
            }
            declared = ""
            if (head != "") {
                declared = head
                brace = index(line, "{"); semicolon = index(line, ";")
                if (brace && (!semicolon || brace < semicolon)) {
                    if (pass == 1) where[head] = where[head] " " FILENAME
                    head = ""
                } else if (semicolon) head = ""
            }
            if (pass == 1) next
            gsub(/struct +[a-z0-9_]+/, "", line)
            while (match(line, /(ash|dev)_[a-z0-9_]+/)) {
                name = substr(line, RSTART, RLENGTH)
                before = substr(line, RSTART - 1, 1)
                line = substr(line, RSTART + RLENGTH)
                if (name == declared || before ~ /[A-Za-z0-9_]/ || !(name in where)) continue
                n = split(where[name], files, " ")
                for (i = 1; i <= n; i++) print FILENAME, files[i], name
            }
        }' pass=1 $sources pass=2 $sources | sort -u
}

# up TEXT: of lines "FILE OTHER ...", those whose arrow goes up.
up()
{
    awk -v floors="$floors" '
        function room(file, parts) {
            split(file, parts, "/")
            return parts[1] == "device" || parts[1] == "lib" ? parts[1] "/" parts[2] : parts[1]
        }
        BEGIN { n = split(floors, names); for (i = 1; i <= n; i++) floor[names[i]] = i }
        {
            from = floor[room($1)]; to = floor[room($2)]
            if (!from || !to) { if (!from) print $1 " is on no floor"; next }
            if (to < from) print $1 " -> " $2 " " $3
        }' | sort -u
}
includes=$(echo "$all" | grep -E '^(device|lib)/' | sed -n 's/^\([^ ]*\) "\(.*\)$/\1 \2/p')
nothing "there are includes between folders" \
    "$([ "$(echo "$includes" | grep -c .)" -gt 300 ] || echo few)"
nothing "includes go down the floors" "$(echo "$includes" | up)"
calls=$(calls)
nothing "there are calls between folders" "$([ "$(echo "$calls" | grep -c .)" -gt 1000 ] ||
    echo "$calls" | grep -c .)"
nothing "calls go down the floors" "$(echo "$calls" | up)"

plan
