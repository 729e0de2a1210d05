# Runs a session's commands, each in a fresh bash and a process group of its own, side by side.
# Arguments: control folder (the host writes, this reads), state folder, key of the session; and limits, 0 for none: KiB of
# memory of a process, KiB of a file, processes of this user (not for root).
# Requests come on standard input as NUL-ended fields; what became of them goes out on standard output, a line each.
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
  set -m # gives the command a process group of its own
  bash -c "$command" bash >&5 2>&6 4>&- 5>&- 6>&- &
  pid=$!
  set +m # or `wait` would return when the command is merely stopped
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

# The host is gone or done with the session: nothing that its commands started may stay, daemons included. This process
# is their subreaper (or the first of their namespace): whoever loses its parent becomes a child of it, whatever it does
# to its environment, group and session. So its children are ended until there are none.
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
