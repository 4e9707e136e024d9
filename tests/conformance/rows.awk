# SPDX-License-Identifier: BSD-3-Clause
#
# Read what expand.awk makes of api.tsv and nvshmem.tsv: what the documents and headers name, one
# function a line.  Write
#
#   -v mode=run     ROW(number, family, name, test, type, caller, api, values):
#                   which test of conform*.h runs it, and how it is called
#   -v mode=names   C: a pointer of the exact type to each function
#   -v mode=listed  what NVSHMEM 3.8.0's headers declare: NAME<tab>RETURNS<tab>PARAMETERS
#   -v mode=table   the counts of docs/functions.md's table, a family a line
#
# A function that no test runs is an error.  What is not there says so in its column "basis".
BEGIN {
    FS = "\t"
    name_tests("fetch:FETCH set:SET swap:SWAP compare_swap:COMPARE_SWAP fetch_inc:FETCH_INC inc:INC fetch_add:FETCH_ADD add:ADD", "atomic_")
    name_tests("fetch_and:FETCH_AND fetch_or:FETCH_OR fetch_xor:FETCH_XOR and:AND or:OR xor:XOR", "atomic_")
    name_tests("fetch:FETCH set:SET swap:SWAP cswap:COMPARE_SWAP finc:FETCH_INC inc:INC fadd:FETCH_ADD add:ADD", "")
    name_tests("wait:WAIT wait_until:WAIT_UNTIL test:TEST signal:SIGNAL put_signal:PUT_SIGNAL put_signal_nbi:PUT_SIGNAL", "")
    name_tests("all:ALL any:ANY some:SOME", "wait_until_")
    name_tests("all:TEST_ALL any:TEST_ANY some:TEST_SOME", "test_")
    name_tests("broadcast:BROADCAST fcollect:FCOLLECT alltoall:ALLTOALL", "")
    name_tests("barrier:STREAM_BARRIER team_sync:STREAM_BARRIER barrier_all:STREAM_BARRIER_ALL sync_all:STREAM_BARRIER_ALL", "stream ")
    name_tests("iput:IPUT iget:IGET put:PUT put_nbi:PUT get:GET get_nbi:GET p:P g:G", "")
    name_tests("g:G_ON_STREAM flush:FLUSH_ON_STREAM quiet:QUIET_ON_STREAM signal_wait_until:SIGNAL_ON_STREAM", "stream ")
    name_tests("qp_quiet:QP_ORDER qp_fence:QP_ORDER flush:FLUSH double2_maxloc_reduce:MAXLOC", "")
    # Names without a type in them, and what they work on.
    name_untyped("signal_fetch signal_wait_until signal_op signal_counted_reset quiet fence")
    name_untyped("barrier barrier_all team_sync sync_all my_pe n_pes team_my_pe team_n_pes")
    name_untyped("team_translate_pe ptr mc_ptr info_get_version info_get_name global_exit")
    name_untyped("vendor_get_version_info region_start region_stop region_is_active")
    name_untyped("ask_smem give_smem release_smem")
    name_host_only("qp_create collective_launch collective_launch_attr malloc calloc align free")
    name_host_only("collective_launch_query_gridsize cumodule_init cumodule_finalize")
    name_host_only("culibrary_init culibrary_finalize init init_thread finalize query_thread")
    name_host_only("init_attr init_status get_uniqueid set_attr_uniqueid_args status_string")
    name_host_only("set_attr_mpi_comm_args hostlib_init_attr hostlib_finalize team_init")
    name_host_only("team_get_uniqueid team_split_strided team_split_2d team_destroy")
    name_host_only("team_get_config buffer_register buffer_register_symmetric buffer_unregister")
    name_host_only("buffer_register_symmetric_at_preferred_address buffer_unregister_all")
    name_host_only("buffer_unregister_symmetric")
    name_host_only("nvshmemid_init_status nvshmemid_hostlib_init_attr nvshmemid_hostlib_finalize")
    # docs/functions.md's words for the families, in the order of its table.
    name_family("p2p-wait", "wait")
    name_family("p2p-test", "test")
    name_family("signal", "signaling")
    name_family("amo", "atomics")
    name_family("amo-float", "atomics of half, sums of float and double")
    name_family("amo-deprecated", "atomics, old names")
    name_family("rma", "put, get, p, g")
    name_family("strided", "`iput`, `iget`")
    name_family("qp", "queue pairs")
    name_family("collective", "collectives")
    name_family("order", "order and barriers")
    name_family("flush", "flush")
    name_family("region", "regions")
    name_family("team", "teams")
    name_family("memory", "symmetric memory, registration")
    name_family("setup", "set-up, queries, exit")
    name_family("launch", "kernels and modules")
    name_family("tma", "for TMA")
    name_family("beyond", "more operations and types, `nvshmemid_`")
    name_family("openshmem", "OpenSHMEM `wait_until_some_vector`")
    name_family("ishmem", "Intel SHMEM wait and test")
}

FNR == 1 || $4 ~ /no synopsis/ { next }

# Words of running text that are rows of other families.
$1 == "referenced" { $1 = $2 ~ /putmem/ ? "rma" : $2 ~ /signal/ ? "signal" : "order" }

mode == "listed" { if (is_listed()) print $2 "\t" $3 "\t" $4; next }
mode == "table" { count_row() }
$8 == "absent" { next }

{
    functions++
    if (mode == "names") print_pointer()
    else if (mode == "run") print_rows()
}

END {
    if (mode == "table") print_table()
    if (mode == "run") {
        print "#ifndef CONFORMANCE_FUNCTIONS"
        print "#define CONFORMANCE_FUNCTIONS " functions
        print "#endif"
    }
    exit failed
}

function name_untyped(names,    n, i, list)
{
    n = split(names, list, " ")
    for (i = 1; i <= n; i++) untyped[list[i]] = 1
}

function name_host_only(names,    n, i, list)
{
    name_untyped(names)
    n = split(names, list, " ")
    for (i = 1; i <= n; i++)
        host_only[list[i]] = host_only["nvshmem_" list[i]] = host_only["nvshmemx_" list[i]] = 1
}

function name_family(family, text)
{
    family_order[++families] = family
    family_text[family] = text
}

# Declared by the headers of NVSHMEM 3.8.0: all but what only the documents have, and what is ours.
function is_listed()
{
    if ($1 ~ /^(openshmem|ishmem|amo-deprecated)$/ || $7 == "anyshmem") return 0
    return $9 !~ /old wait|deprecated|no ctx synopsis/
}

function count_row(    caller)
{
    if (is_listed()) listed[$1]++
    if ($8 == "absent") return
    caller = caller_of($2)
    here[$1]++
    if (caller == "stream") on_stream[$1]++
    else on_host[$1]++
    if (caller !~ /^(stream|host)$/ && $1 != "openshmem") in_kernel[$1]++
}

function shown(count)
{
    return count > 0 ? count : ""
}

function print_counts(text, listed, here, host, kernel, stream, cuda,    line)
{
    line = "| " text " | " shown(listed) " | " (here + 0) " | " shown(host) " | " shown(kernel)
    line = line " | " shown(stream) " | " cuda " |"
    gsub(/ +/, " ", line)
    print line
}

function print_table(    i, f, sum)
{
    for (i = 1; i <= families; i++) {
        f = family_order[i]
        print_counts(family_text[f], listed[f], here[f], on_host[f], in_kernel[f], on_stream[f],
                     here[f] == 0 ? "no" : f == "openshmem" ? "host only" : in_kernel[f] > 0 ? \
                     "run on GPU and CPU" : "compiled for GPU")
        sum[1] += listed[f]; sum[2] += here[f]; sum[3] += on_host[f]; sum[4] += in_kernel[f]
        sum[5] += on_stream[f]
    }
    print_counts("**all**", sum[1], sum[2], sum[3], sum[4], sum[5], "")
}

function name_tests(pairs, prefix,    n, i, pair)
{
    n = split(pairs, list, " ")
    for (i = 1; i <= n; i++) {
        split(list[i], pair, ":")
        test_of[prefix pair[1]] = pair[2]
    }
}

# The C types that a generic name is documented for, one for each C type.
function types_of_generic()
{
    if ($1 == "openshmem")
        return "short, int, long, long long, unsigned short, unsigned int, unsigned long, unsigned long long"
    sub(/.*over: */, "", $9)
    return $9
}

# Our names of two types, which C has not.
function our_types(text)
{
    gsub(/__nv_bfloat16/, "nvshmem_bfloat16_t", text)
    gsub(/(^|[^a-z_])half /, "&#", text)
    gsub(/half #/, "nvshmem_half_t ", text)
    return text
}

function type_pointed_at(text)
{
    sub(/^nvshmem_team_t team, /, "", text)
    sub(/^const /, "", text)
    sub(/ *\*.*/, "", text)
    return our_types(text " ")
}

# Which threads of a group call it together; "stream" and "host" are called on a host only.
function caller_of(name)
{
    if (name ~ /_on_stream$/) return "stream"
    if (name ~ /_warp$/) return "warp"
    if (name ~ /_block$/) return "block"
    if (name ~ /_work_group$/) return "group"
    return name in host_only ? "host" : "thread"
}

function print_row(test, type, values,    family, api)
{
    family = $1
    gsub(/-/, "_", family)
    match($2, /^[a-z]*shmem/)
    api = $2 ~ /^nvshmemx_qp_/ ? "qp" : substr($2, 1, RLENGTH)
    print "ROW(" ++count ", " family ", " $2 ", " test ", " type ", " caller_of($2) ", " api ", " values ")"
}

function print_rows(    verb, values, n, i, types, bits)
{
    verb = $2
    sub(/^[a-z]*shmemx?_/, "", verb)
    sub(/_on_stream$|_warp$|_block$|_work_group$/, "", verb)
    # Routines with a queue pair are those without, but for its argument.
    if (verb ~ /^qp_.*_(p|g|op|(put|get)(_signal)?(_nbi)?)$/) sub(/^qp_/, "", verb)
    values = sub(/_vector$/, "", verb) ? "vector" : "scalar"
    bits = verb
    if (sub(/^(put|get)(mem)?/, "", bits) && bits ~ /^[0-9]*(_signal)?(_nbi)?$/ && bits != verb &&
        (verb ~ /mem/ || bits ~ /^[0-9]/)) {
        print_row(toupper(substr(verb, 1, 3)) (bits ~ /signal/ ? "_SIGNAL" : ""),
                  "conform_bits" (bits + 0 ? bits + 0 : 8), values)
    } else if ((caller_of($2) " " verb) in test_of) {
        print_row(test_of[caller_of($2) " " verb], "uint64_t", values)
    } else if (verb ~ /^qp_(quiet|fence)$|^flush$|^double2/) {
        print_row(test_of[verb], "uint64_t", values)
    } else if (verb ~ /mem$/ && substr(verb, 1, length(verb) - 3) in test_of) {
        print_row(test_of[substr(verb, 1, length(verb) - 3)], "char", values)
    } else if (verb ~ /^i(put|get)[0-9]+$/) {
        print_row(toupper(substr(verb, 1, 4)), "conform_bits" substr(verb, 5), values)
    } else if (verb ~ /^(half|float|double)_atomic_(fetch_)?add$/) {
        print_row(verb ~ /fetch/ ? "FETCH_SUM" : "SUM", type_pointed_at($4), values)
    } else if (verb in untyped) {
        print_row(toupper(verb), "uint64_t", values)
    } else if ($4 ~ /^(const )?TYPE/ && verb in test_of) {
        n = split(types_of_generic(), types, / *, */)
        for (i = 1; i <= n; i++) print_row(test_of[verb], types[i], values)
    } else if (sub(/^[a-z0-9]+_/, "", verb) && (caller_of($2) " " verb) in test_of) {
        print_row(test_of[caller_of($2) " " verb], type_pointed_at($4), values)
    } else if (verb in test_of) {
        print_row(test_of[verb], type_pointed_at($4), values)
    } else if (split(verb, part, "_") == 2 && part[2] ~ /^reduce/) {
        print_row(toupper(part[2]), type_pointed_at($4), toupper(part[1]))
    } else {
        print $2 ": no test runs it" > "/dev/stderr"
        failed = 1
    }
}

# A generic is a macro, a work_group's a template in C++: names.sh calls those.
function print_pointer(    parameters)
{
    parameters = our_types($4)
    if (parameters ~ /TYPE/) return
    sub(/const Group &group/, "ishmemx_group_t group", parameters)
    print our_types($3 " ") " (*const pointer_to_" $2 ")(" parameters ") = " $2 ";"
}
