# Bash reads this before each command: it restores the working directory and the exported variables of the last command,
# and saves them when the command ends. The command's secrets arrive under other names and are never saved.
muster_state=$MUSTER_STATE muster_keep=$MUSTER_KEEP muster_secrets=$MUSTER_SECRETS
unset -v BASH_ENV MUSTER_STATE MUSTER_KEEP MUSTER_SECRETS
[ ! -e "$muster_state/env" ] || . "$muster_state/env" 2>/dev/null
[ ! -e "$muster_state/cwd" ] || cd -- "$(<"$muster_state/cwd")" 2>/dev/null
for muster_name in $muster_secrets; do
  muster_given=MUSTER_SECRET_$muster_name
  export "$muster_name=${!muster_given}"
  unset -v "$muster_given"
done

muster_save() {
  [ "$muster_keep" = 1 ] || return
  [ -z "$muster_secrets" ] || unset -v $muster_secrets
  pwd >"$muster_state/cwd.$$" && mv -f "$muster_state/cwd.$$" "$muster_state/cwd"
  declare -px >"$muster_state/env.$$" && mv -f "$muster_state/env.$$" "$muster_state/env"
}
trap muster_save EXIT
