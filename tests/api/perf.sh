#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# anyshmem-perf: every case gives its rows, with figures and the limit beside them,
# over each way.  How large the figures are is none of this test's business.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
perf=$builddir/contrib/perf/anyshmem-perf
# One batch of a few turns each, two sizes.
few="--csv --rounds 3 --warmup 0 --iters 20 --min_size 8 --max_size 64"
without_network='without /sys UCX finds no network interface'

# measure PES ARGUMENT...: standard output in $output.rows.
measure()
{
    pes=$1
    shift
    TEST_TIMEOUT=100 "$srcdir/tests/launch" "$pes" "$perf" "$@" >"$output.all" 2>"$output"
    status=$?
    # UCX logs to standard output, too.
    grep -v '^\[' "$output.all" >"$output.rows"
    return $status
}

# rows WAY PES: the rows of $output.rows are all of that way, and whole.
rows()
{
    awk -F, -v way="$1" -v pes="$2" '
        NR == 1 { if ($0 !~ /^way,case,pes,size,unit,median,best,/) bad = 1; next }
        $1 != way || $3 != pes || NF != 11 || $6 <= 0 || $7 <= 0 { print "row: " $0; bad = 1 }
        $9 != "" && ($10 <= 0 || $11 <= 0) { print "limit: " $0; bad = 1 }
        { n++ }
        END { exit bad || n == 0 }' "$output.rows" >>"$output"
}

# Is each case there, those with sizes twice, and has each of `beside` its limit?
has_all()
{
    beside=" $1 "
    "$perf" --list | while read -r name _; do
        case $name in
            put | put_bw | get | get_bw | put_signal | put_signal_rate) wanted=2 ;;
            wait_* | test_*) wanted=2 ;;
            *) wanted=1 ;;
        esac
        found=$(grep -c "^[^,]*,$name," "$output.rows")
        [ "$found" -eq "$wanted" ] || echo "$name: $found rows, not $wanted"
        case $beside in *" $name "*)
            grep "^[^,]*,$name," "$output.rows" | grep -q ',$' && echo "$name: no limit" ;;
        esac
    done >"$output.gaps"
    [ ! -s "$output.gaps" ] || { cat "$output.gaps" >>"$output"; false; }
}

# all WAY LIMITS: all cases over one way.
all()
{
    # shellcheck disable=SC2086 # a list of words
    measure 2 $few --way "$1" && rows "$1" 2 && has_all "$2"
    verdict $? "all cases, $1"
}

refuses "$perf" "--min_size 0" "--min_size takes a number from 1 to"
refuses "$perf" "--step x" "--step takes a number from 2 to 1024, not \"x\""
refuses "$perf" "--way near" "no such way: near"
refuses "$perf" "--rounds 1000" "--rounds takes a number"
refuses "$perf" "fetch nonsense" "no such case .*: nonsense"

"$perf" --list >"$output" && [ "$(grep -c . "$output")" -ge 45 ] && "$perf" --help >>"$output" &&
    "$perf" --version | grep -q '^anyshmem-perf anyshmem [0-9]'
verdict $? "--list, --help, --version need no launcher"

if [ -z "$LAUNCHER" ]; then
    skipped "no PMIx launcher" "all cases"
    plan
fi

all mapped "put get fetch_add fetch_add_polled put_signal wait_any p_wait"
all proxy-sm "put get fetch_add put_signal p_wait add_rate"
for way in proxy-tcp proxy-am; do
    if [ -d /sys/class/net ]; then
        all $way "put get fetch_add put_signal p_wait add_rate"
    else
        skipped "$without_network" "all cases, $way"
    fi
done

# shellcheck disable=SC2086 # a list of words
measure 2 $few --way mapped --kernel fetch put_signal barrier && rows mapped 2 &&
    grep -q ',put_signal,' "$output.rows"
verdict $? "in a kernel"
# shellcheck disable=SC2086
measure 4 $few --way mapped,given ring all_to_all barrier fetch_add &&
    grep -q '^mapped,ring,4,' "$output.rows" && grep -q '^given,ring,4,' "$output.rows" &&
    grep -q '^given,fetch_add,4,' "$output.rows"
verdict $? "4 PEs, two ways one after the other"
# shellcheck disable=SC2086
measure 1 $few --way mapped fetch_add put ring && rows mapped 1 &&
    ! grep -q ring "$output.rows"
verdict $? "1 PE"
measure 2 --rounds 3 --time 1 --way mapped --max_size 64 put fetch_add &&
    grep -q '^mapped  *put  *2  *64 .* us .*memcpy' "$output.rows" &&
    grep -q '^mapped  *fetch_add  *2  .* us .*CPU atomic' "$output.rows"
verdict $? "a table, batches as long as asked for"

# "put" has a time, a rate and a bandwidth.
if command -v gnuplot >/dev/null; then
    for ending in svg png; do
        # shellcheck disable=SC2086
        measure 2 $few --way mapped --plot "$output.$ending" put
        status=$?
        for unit in time rate bandwidth; do
            [ -s "$output-$unit.$ending" ] || echo "no picture of the $unit"
        done >"$output.wrong"
        [ $ending = png ] || grep -q memcpy "$output-bandwidth.svg" || echo no limit >>"$output.wrong"
        [ $status -eq 0 ] && [ ! -s "$output.wrong" ] && [ ! -e "$output.$ending" ]
        verdict $? "a picture for each unit, as $ending"
    done
else
    # shellcheck disable=SC2086
    measure 2 $few --way mapped --plot "$output.svg" put && status=0 || status=$?
    [ $status -ne 0 ] && grep -q 'needs gnuplot, which is not in PATH' "$output" &&
        ! grep -q '^mapped' "$output.rows"
    verdict $? "no gnuplot: said before anything is measured"
fi
refuses "$perf" "--plot x.pdf --from x.csv" 'takes a file .svg or .png, not "x.pdf"'

# What gnuplot is told, whether or not it is there.
mkdir "$output.bin" "$output.csv" || exit 99
cat >"$output.bin/gnuplot" <<END
#!/bin/sh
cat >>"$output.told"
END
chmod +x "$output.bin/gnuplot"
drawn()
{
    picture=$1
    shift
    rm -f "$output.told"
    PATH=$output.bin:$PATH "$perf" --plot "$picture" "$@" >"$output" 2>&1
}
for pes in 2 4; do
    # shellcheck disable=SC2086 # a list of words
    measure $pes $few --way mapped barrier put && cp "$output.rows" "$output.csv/$pes"
done
drawn x.svg --from "$output.csv/2" --from "$output.csv/4" &&
    grep -q "^set xlabel 'PEs'" "$output.told" &&
    grep -q "title 'mapped barrier'" "$output.told" &&
    grep -q "linecolor 2 title 'mapped put of 64', .* dashtype 2 linecolor 2 title 'memcpy'" \
        "$output.told" && grep -q noenhanced "$output.told" &&
    [ "$(grep -c '^[24] [0-9.e+-]* [0-9.e+-]*$' "$output.told")" -eq 18 ]
verdict $? "a picture over PEs, from two runs"
drawn x.svg --from "$output.csv/2" && grep -q "^set xlabel 'bytes" "$output.told" &&
    ! grep -q barrier "$output.told" && [ "$(grep -c '^\(8\|64\) ' "$output.told")" -eq 8 ] &&
    awk -F, '$2 == "put" && $4 == 64 { print $6 }' "$output.csv/2" >"$output.median" &&
    grep -q "^64 $(cat "$output.median") " "$output.told"
verdict $? "a picture over sizes, from one, with its figures"
echo "way,case,pes" >"$output.csv/none"
drawn x.svg --from "$output.csv/none" && status=0 || status=$?
[ $status -eq 1 ] && grep -q 'has no row of anyshmem-perf --csv' "$output"
verdict $? "a file without rows"
refuses "$perf" "--from x.csv" "--from needs --plot"

# shellcheck disable=SC2086
measure 2 --csv --rounds 9 --time 350 --way mapped fetch_inc fetch_and fetch_or fetch_xor
[ "$(grep -c 'rows, about [0-9]* s to go' "$output")" -ge 1 ]
verdict $? "a run that takes long says how much is left"
plan
