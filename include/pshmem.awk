# SPDX-License-Identifier: BSD-3-Clause
#
# Writes pshmem.h: reads shmem.h as the preprocessor gives it, and declares each routine of
# OpenSHMEM once more, under the name that begins with pshmem_.
BEGIN {
    RS = ";"
    print "/* SPDX-License-Identifier: BSD-3-Clause */"
    print "/*"
    print " * OpenSHMEM: the routines under their names for profiling, which a tool calls"
    print " * that has a routine of the usual name itself.  Written by pshmem.awk from shmem.h."
    print " *"
    print " * Document: OpenSHMEM 1.5, \"Profiling Interface\".  pshmem_X does what shmem_X"
    print " * does: a library that is linked or loaded before libanyshmem defines shmem_X, and"
    print " * calls pshmem_X."
    print " */"
    print "#ifndef PSHMEM_H\n#define PSHMEM_H\n\n#include <shmem.h>\n\nNVSHMEM_BEGIN_DECLS\n"
}
/visibility\("default"\)/ && match($0, /[ *](shmem_[a-z0-9_]+|start_pes) *\(/) {
    gsub(/[ \t\n]+/, " ")
    gsub(/__attribute__ *\(\((visibility\("default"\)|__noplt__)\)\) */, "")
    sub(/^.*[{}] */, "")
    sub(/^ +/, "")
    match($0, /[ *](shmem_[a-z0-9_]+|start_pes) *\(/)
    print "NVSHMEM_EXPORT " substr($0, 1, RSTART) "p" substr($0, RSTART + 1) ";"
    n++
}
END {
    print "\nNVSHMEM_END_DECLS\n\n#endif"
    exit n < 800
}
