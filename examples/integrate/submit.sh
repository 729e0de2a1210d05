#!/bin/sh
# Run the cases of a file over HTTP and end with their verdicts: submit.sh CASES.yaml
# MUSTER_URL is the gateway's address, MUSTER_KEY an API key of role runner (none where the gateway is open),
# BUILD identifies the build, JUNIT is a folder for a JUnit file per run, PATIENCE the seconds a run may take.
# Exits 0 if all passed, 1 if a product failed, 3 if only something else did, 2 if they cannot be run. Needs curl and jq.
set -eu
[ $# = 1 ] && [ -r "$1" ] || { echo "submit.sh CASES.yaml: ${1:+$1 is no }file of cases" >&2; exit 2; }
url=${MUSTER_URL:-http://127.0.0.1:8080}
build=${BUILD:-local}
patience=${PATIENCE:-3600}
answers=$(mktemp)
trap 'rm -f "$answers"' EXIT

ask() {
    curl --silent --show-error --max-time 30 --retry 5 --retry-connrefused \
        ${MUSTER_KEY:+--header "Authorization: Bearer $MUSTER_KEY"} "$@"
}

# The log ends with the run, or early if the gateway restarts: then there is no verdict yet, 404.
verdict_of() {
    until=$(($(date +%s) + patience)) code=none
    while [ "$(date +%s)" -lt "$until" ]; do
        ask --output /dev/null --max-time "$patience" "$url/runs/$1/logs" || :
        code=$(ask --output "$answers" --write-out '%{http_code}' "$url/runs/$1/verdict") || code=none
        case $code in
            200) cat "$answers"; return ;;
            404 | 5?? | none) sleep 2 ;;
            *) break ;;
        esac
    done
    printf '%s: no verdict (%s): ' "$1" "$code" >&2
    cat "$answers" >&2
    exit 2
}

# One key, one run in the whole fleet: neither --retry nor starting this again creates a second one.
answer=$(ask --header 'Content-Type: application/yaml' --header "Idempotency-Key: $(basename "$1")-$build" \
    --data-binary "@$1" "$url/runs") || { echo "$url: no gateway answers; set MUSTER_URL to its address" >&2; exit 2; }
runs=$(printf '%s' "$answer" | jq --raw-output '.runs[]?.run' 2>/dev/null) || :
[ -n "$runs" ] || { printf 'refused: %s\n' "$answer" >&2; exit 2; }

failed=0
for run in $runs; do
    verdict=$(verdict_of "$run")
    printf '%s' "$verdict" | jq --raw-output '"\(.run) \(.status) \(.cause // "") \(.summary)"'
    [ -z "${JUNIT:-}" ] || ask --output "$JUNIT/$run.xml" --create-dirs "$url/runs/$run/report?format=junit"
    case $(printf '%s' "$verdict" | jq --raw-output '.cause // .status') in
        pass) ;;
        product) failed=1 ;;
        *) [ $failed = 1 ] || failed=3 ;;
    esac
done
exit $failed
