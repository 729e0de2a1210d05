# Runs a session's commands concurrently, each in a fresh bash with its own process group.
# Arguments: control folder (written by the host, read here), state folder, the session's mark; then limits, 0 for none:
# KiB of memory of a process, KiB of a file, processes of this user (not for root).
# Requests arrive on standard input as fields that end with NUL; events go to standard output, one per line.
control=$1 state=$2 key=$3
[ "$4" = 0 ] || ulimit -d "$4"
[ "$5" = 0 ] || ulimit -f "$5"
[ "$6" = 0 ] || ulimit -u "$6"
exec 3<&0 4>&1 </dev/null >/dev/null 2>&1

field() { IFS= read -r -d '' "$1" <&3; }

run() {
  local id=$1 keep=$2 secrets=$3 command=$4 pid code
  shift 4
  exec 3<&- 5>"$control/$id.out" 6>"$control/$id.err"
  export MUSTER_SESSION=$key MUSTER_STATE=$state MUSTER_KEEP=$keep MUSTER_SECRETS=$secrets "$@"
  export BASH_ENV=$control/prelude.sh
  set -m # gives the command its own process group
  bash -c "$command" bash >&5 2>&6 4>&- 5>&- 6>&- &
  pid=$!
  set +m # else `wait` would return when the command is only stopped
  exec 5>&- 6>&-
  echo "started $id $pid" >&4
  wait "$pid"
  code=$?
  echo "done $id $code" >&4
}

while field verb; do
  case $verb in
    run)
      field id && field keep && field secrets && field command && field count || break
      pairs=()
      while [ "${#pairs[@]}" -lt "$count" ] && field pair; do pairs+=("$pair"); done
      run "$id" "$keep" "$secrets" "$command" "${pairs[@]}" &
      ;;
    kill)
      field pid && kill -KILL -- "-$pid"
      ;;
  esac
done

# The host has exited or closed the session: kill every process that its commands started, daemons included. This process
# is their subreaper (or the first of their namespace): an orphan becomes its child, even if it changed its
# environment, group or session. So kill the children until there are none.
for round in {1..1000}; do
  found=
  for stat in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$stat" || continue
    pid=${line%% *} rest=${line##*) }
    read -r status parent rest <<<"$rest"
    [ "$parent" = "$$" ] && [ "$status" != Z ] && kill -KILL "$pid" && found=1
  done
  [ "$found" ] || break
done
