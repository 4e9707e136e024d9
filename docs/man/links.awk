# SPDX-License-Identifier: BSD-3-Clause
#
# Which page has a function: awk -f links.awk PAGE.3 ... FILE, where FILE has the
# functions, one a line, as lib/anyshmem.map does; private ones (ash_) have none.  Lines
# "NAME PAGE WORD":
#
#   self      the page has the function's name
#   link      it has another one
#   none      no page names the function
#   macro     a page's name that FILE has not, and that has no part to fill in
#   unknown   a page's name with such a part that nothing of FILE matches
#
# With -v types=1, lines "TYPE PAGE": the types of a page's functions.  A page names
# functions with a type or a size as nvshmem_TYPENAME_put and nvshmem_putSIZE.
BEGIN {
    n = split("bfloat16 half float double longdouble char schar uchar short ushort int uint " \
              "long ulong longlong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 " \
              "size ptrdiff complexf complexd", list, " ")
    for (i = 1; i <= n; i++) is_type[list[i]] = 1
}
FNR == 1 {
    is_page = FILENAME ~ /\.3$/
    page = FILENAME
    sub(/.*\//, "", page)
    sub(/\.3$/, "", page)
}
is_page && /^\.Sh / { in_names = $2 == "NAME" }
is_page && in_names && $1 == ".Nm" { page_of[$2] = page }
is_page { next }
$1 ~ /^[a-z]+_[a-z0-9_]+;?$/ && $1 !~ /^(anyshmem_module|ash)_/ {
    name = $1
    sub(/;$/, "", name)
    pattern = name
    type = ""
    if (!(name in page_of)) {
        split(name, part, "_")
        if (part[2] in is_type) {
            type = part[2]
            pattern = part[1] "_TYPENAME" substr(name, length(part[1] "_" type) + 1)
        } else if ((part[2] == "qp" || part[2] == "ctx") && part[3] in is_type) {
            form = part[1] "_" part[2] "_"
            type = part[3]
            pattern = form "TYPENAME" substr(name, length(form type) + 1)
        } else if (match(name, /_i?b?[pg][ue]t(8|16|32|64|128)(_|$)/)) {
            match(name, /[0-9]+(_|$)/)
            rest = substr(name, RSTART)
            sub(/^[0-9]+/, "", rest)
            pattern = substr(name, 1, RSTART - 1) "SIZE" rest
        }
    }
    met[pattern] = 1
    if (!(pattern in page_of)) {
        if (!types) print name, "-", "none"
        next
    }
    if (!types) print name, page_of[pattern], page_of[pattern] == name ? "self" : "link"
    else if (type != "" && !((type, page_of[pattern]) in told)) print type, page_of[pattern]
    told[type, page_of[pattern]] = 1
}
END {
    for (name in page_of)
        if (!types && !(name in met))
            print name, page_of[name], name ~ /TYPENAME|SIZE/ ? "unknown" : "macro"
}
