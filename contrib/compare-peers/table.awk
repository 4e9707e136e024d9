# SPDX-License-Identifier: BSD-3-Clause
#
# Prints the records as one table: awk -v goals=FILE [-v csv=FILE] -f table.awk RECORDS
#
# Records: ROUND NAME WAY PES OPERATION SIZE UNIT MEDIAN MIN LIMIT LIMIT_MIN RATIO LIMIT_NAME,
# times in ns of one operation.  NAME: "ours", a peer's name, or "limit" for a limit that
# another program measured.  MEDIAN: a time, "failed" or "wrong".

# The value at the fraction `part` of the sorted values[1..n], interpolated between two.
function quantile(values, n, part,    at, below)
{
    at = part * (n - 1) + 1
    below = int(at)
    if (below == n) return values[n]
    return values[below] + (at - below) * (values[below + 1] - values[below])
}

function sort(values, n,    i, k, value)
{
    for (i = 2; i <= n; i++) {
        value = values[i]
        for (k = i - 1; k >= 1 && values[k] > value; k--) values[k + 1] = values[k]
        values[k + 1] = value
    }
}

# Statistics over rounds of KIND ("time", "limit", "ratio") of a name's row: sets count,
# q1, middle, q3.
function gather(kind, name, row,    r, list)
{
    count = 0
    for (r = 1; r <= rounds; r++)
        if ((kind, name, row, r) in data) list[++count] = data[kind, name, row, r]
    if (count == 0) return 0
    sort(list, count)
    q1 = quantile(list, count, 0.25)
    middle = quantile(list, count, 0.5)
    q3 = quantile(list, count, 0.75)
    return 1
}

# Median over rounds of A's time over B's time in the same round; "" if there is none.
function ratio_of(a_name, a_row, b_name, b_row,    r, n, list)
{
    for (r = 1; r <= rounds; r++)
        if (("time", a_name, a_row, r) in data && ("time", b_name, b_row, r) in data)
            list[++n] = data["time", a_name, a_row, r] / data["time", b_name, b_row, r]
    if (n == 0) return ""
    sort(list, n)
    return quantile(list, n, 0.5)
}

# Converts ns to the row's unit.
function convert(row, ns)
{
    if (unit[row] == "Mop/s") return 1e3 / ns
    if (unit[row] == "MB/s") return 1e3 * size[row] / ns
    if (unit[row] == "ms") return ns / 1e6
    return ns / 1e3
}

function row_of(a_way, a_pes, a_op, a_size)
{
    return a_way " " a_pes " " a_op " " a_size
}

# Peers use UCX in any case, so for proxy-sm the figures of `mapped` are shown.
function where(name, row,    mapped)
{
    if (way[row] != "proxy-sm" || name == "ours" || name == "limit") return row
    mapped = row_of("mapped", pes[row], op[row], size[row])
    return mapped
}

function figure(value)
{
    return sprintf(value >= 999.5 ? "%.0f" : "%.3g", value)
}

# Sets center, low, high of a name's figures, in the row's unit; returns 0 if there are none.
function figures(name, row,    at)
{
    if (!gather("time", name, where(name, row))) return 0
    center = convert(row, middle)
    low = convert(row, q1)
    high = convert(row, q3)
    if (low > high) { at = low; low = high; high = at }
    return 1
}

function cell(name, row,    at)
{
    at = where(name, row)
    if ((name, at) in failed) return failed[name, at]
    if (!figures(name, row)) return "-"
    return figure(center) " [" figure(low) ".." figure(high) "]"
}

function find_peer(row,    i, at, best)
{
    best_peer = ""
    for (i = 1; i <= n_names; i++) {
        if (names[i] == "ours") continue
        at = where(names[i], row)
        if ((names[i], at) in failed || !gather("time", names[i], at)) continue
        if (best_peer == "" || middle < best) { best = middle; best_peer = names[i] }
    }
}

# Sets limit_ns, limit_text, per_limit, per_peer, best_peer of a row.
function compare(row,    i)
{
    limit_ns = per_limit = per_peer = limit_text = ""
    if (gather("ratio", "ours", row)) per_limit = middle
    for (i = 1; i <= n_names && limit_ns == ""; i++)
        if (gather("limit", names[i], row)) limit_ns = middle
    if (limit_ns != "")
        limit_text = limit_name[row]
    else if (gather("time", "limit", row)) {
        limit_ns = middle
        limit_text = limit_name[row]
        per_limit = ratio_of("ours", row, "limit", row)
    }
    find_peer(row)
    if (best_peer != "") per_peer = ratio_of("ours", row, best_peer, where(best_peer, row))
}

function measure(what, row,    base)
{
    if (what == "limit") return per_limit
    if (what == "peer") return per_peer
    base = row_of(way[row], 2, op[row], size[row])
    if (what == "hops") return ratio_of("ours", row, "ours", base)
    if (what == "each") {
        base = ratio_of("ours", row, "ours", base)
        return base == "" ? "" : base * 2 / pes[row]
    }
    return ratio_of("ours", row, "ours", row_of(way[row], pes[row], what, size[row]))
}

function whole(text, pattern)
{
    return pattern == "*" || text ~ ("^(" pattern ")$")
}

# Compares a row with its goals: "met limit peer", or "MISSED limit 1.4>1.2, met peer".
function judge(row,    i, value, met, missed)
{
    for (i = 1; i <= n_goals; i++) {
        if (!whole(way[row], goal[i, 1]) || !whole(op[row], goal[i, 2])) continue
        if (!whole(size[row], goal[i, 3]) || !whole(pes[row], goal[i, 4])) continue
        if (("ours", row) in failed) value = failed["ours", row]
        else value = measure(goal[i, 5], row)
        if (value == "") continue
        if (value == value + 0 && value <= goal[i, 6]) { met = met " " goal[i, 5]; n_met++ }
        else {
            if (value == value + 0) value = sprintf("%.4g>%g", value, goal[i, 6])
            missed = missed " " goal[i, 5] " " value
            n_missed++
        }
    }
    if (missed == "") return met == "" ? "" : "met" met
    return "MISSED" missed (met == "" ? "" : ", met" met)
}

function short(value, format)
{
    return value == "" ? "-" : sprintf(format, value)
}

function text_row(row, goals_text,    i, at, line)
{
    line = sprintf("%-11s %-16s %3d %7s %-5s", way[row], op[row], pes[row],
                   size[row] > 0 ? size[row] : "", unit[row])
    for (i = 1; i <= n_names; i++) line = line sprintf(" %-22s", cell(names[i], row))
    at = limit_ns == "" ? "-" : limit_text " " figure(convert(row, limit_ns))
    line = line sprintf(" %-20s %6s %6s  %s", at, short(per_limit, "%.2f"),
                        short(per_peer, "%.2f"), goals_text)
    sub(/ +$/, "", line)
    print line
}

function csv_row(row, goals_text,    i, at, line)
{
    line = way[row] "," op[row] "," pes[row] "," size[row] "," unit[row]
    for (i = 1; i <= n_names; i++) {
        at = where(names[i], row)
        if ((names[i], at) in failed) line = line "," failed[names[i], at] ",,,"
        else if (!figures(names[i], row)) line = line ",,,,"
        else line = line sprintf(",%.5g,%.5g,%.5g,%d", center, low, high, count)
    }
    line = line "," limit_text "," (limit_ns == "" ? "" : sprintf("%.5g", convert(row, limit_ns)))
    line = line "," (per_limit == "" ? "" : sprintf("%.3f", per_limit))
    line = line "," best_peer "," (per_peer == "" ? "" : sprintf("%.3f", per_peer))
    gsub(/,/, ";", goals_text)
    print line "," goals_text >csv
}

function headers(    i, line, head)
{
    line = sprintf("%-11s %-16s %3s %7s %-5s", "way", "operation", "PEs", "size", "unit")
    head = "way,operation,pes,size,unit"
    for (i = 1; i <= n_names; i++) {
        line = line sprintf(" %-22s", names[i])
        head = head "," names[i] "," names[i] "_q1," names[i] "_q3," names[i] "_rounds"
    }
    print line sprintf(" %-20s %6s %6s  %s", "limit", "/limit", "/peer", "goals")
    if (csv != "") print head ",limit_name,limit,per_limit,best_peer,per_peer,goals" >csv
}

function rows_of(a_way, a_pes,    i, row, text)
{
    for (i = 1; i <= n_rows; i++) {
        row = rows[i]
        if (way[row] != a_way || pes[row] != a_pes) continue
        compare(row)
        text = judge(row)
        text_row(row, text)
        if (csv != "") csv_row(row, text)
    }
}

BEGIN {
    while (goals != "" && (getline line <goals) > 0) {
        if (line ~ /^[ \t]*(#|$)/) continue
        n_goals++
        if (split(line, field) != 6) { print "goals: " line >"/dev/stderr"; bad = 1; exit }
        for (i = 1; i <= 6; i++) goal[n_goals, i] = field[i]
    }
    # The first column is ours; the paths come in this order.
    names[n_names = 1] = "ours"
    known["ours"] = known["limit"] = 1
    n_ways = split("mapped proxy-sm proxy-tcp two-hosts eight-hosts", ways)
    for (i = 1; i <= n_ways; i++) known_way[ways[i]] = 1
}

/^#/ { print; next }
NF != 13 { print "record: " $0 >"/dev/stderr"; bad = 1; next }

{
    row = row_of($3, $4, $5, $6)
    # A limit alone makes no row.
    if ($2 != "limit" && !(row in op)) {
        rows[++n_rows] = row
        way[row] = $3; pes[row] = $4; op[row] = $5; size[row] = $6
    }
    # A failed record has no unit.
    if (!(row in unit) || unit[row] == "-") unit[row] = $7
    if (!($2 in known)) { known[$2] = 1; names[++n_names] = $2 }
    if (!($3 in known_way)) { known_way[$3] = 1; ways[++n_ways] = $3 }
    if (!($4 in known_pes)) { known_pes[$4] = 1; numbers[++n_numbers] = $4 + 0 }
    if ($1 > rounds) rounds = $1 + 0
    if ($8 !~ /^[0-9]/) { failed[$2, row] = $8; next }
    if ($13 != "-") limit_name[row] = $13
    data["time", $2, row, $1] = $8
    if ($10 != "-") { data["limit", $2, row, $1] = $10; data["ratio", $2, row, $1] = $12 }
}

END {
    if (bad || n_rows == 0) { if (!bad) print "no records" >"/dev/stderr"; exit 1 }
    sort(numbers, n_numbers)
    headers()
    for (w = 1; w <= n_ways; w++)
        for (k = 1; k <= n_numbers; k++) rows_of(ways[w], numbers[k])
    printf "goals: %d met, %d missed\n", n_met, n_missed
}
