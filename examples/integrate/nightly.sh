#!/bin/sh
# Run the cases of a folder from cron. Prints verdicts and the report's path if a case fails, else nothing.
# MUSTER_BIN is the folder that has `muster`; cron's own PATH is short.
set -eu
PATH=${MUSTER_BIN:-$HOME/.local/bin}:$PATH
results=${RESULTS:-$HOME/muster/results}/$(date +%Y-%m-%d)
mkdir -p "$results"

# one night at a time: the last run may hang on a slow product
exec 9>"$results/../lock"
flock --nonblock 9 || { echo "last night's cases are still running" >&2; exit 75; }

muster run "$1" --suite nightly --timeout 7200 ${MUSTER_NATS:+--nats "$MUSTER_NATS"} \
    --junit "$results/results.xml" --report "$results/report" >"$results/output" 2>&1 9>&- && exit 0
code=$?
tail -n 40 "$results/output"
echo "Exit code $code; the report is in $results/report"
exit $code
