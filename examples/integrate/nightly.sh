#!/bin/sh
# Run the cases of a folder from cron: quiet if all pass, the verdicts and the report's place if not.
# MUSTER_BIN is the folder that has `muster`; cron's own PATH is short.
set -eu
PATH=${MUSTER_BIN:-$HOME/.local/bin}:$PATH
results=${RESULTS:-$HOME/muster/results}/$(date +%Y-%m-%d)
mkdir -p "$results"

# one night at a time: the run before may hang on a product that answers slowly
exec 9>"$results/../lock"
flock --nonblock 9 || { echo "the cases of the night before still run" >&2; exit 75; }

muster run "$1" --suite nightly --timeout 7200 ${MUSTER_NATS:+--nats "$MUSTER_NATS"} \
    --junit "$results/results.xml" --report "$results/report" >"$results/output" 2>&1 9>&- && exit 0
code=$?
tail -n 40 "$results/output"
echo "Exit code $code; the report is in $results/report"
exit $code
