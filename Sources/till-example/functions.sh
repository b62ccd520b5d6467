# What the demonstrations share: to be read by a script that has set `bin`, the folder with the built programs.
# Everything happens in a temporary directory, which is removed at the end, and so are the processes.

name=$(basename "$0" .sh)
dir=$(mktemp -d "${TMPDIR:-/tmp}/till-$name.XXXXXX")
export TILL_SOCKET=$dir/till.sock
unset TILL_CONFIG TILL_STATE TILL_CATALOGUE TILL_APPLICATION

clean_up() {
    {
        for pid in $(jobs -p); do kill -9 "$pid" || true; done
        wait || true
    } 2>/dev/null
    rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

say() { printf '\n── %s\n' "$*"; }
fail() { printf '%s: %s\n' "$name" "$*" >&2; exit 1; }

# Waits until the command succeeds, for at most ten seconds.
wait_until() {
    local end=$((SECONDS + 10))
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || fail "timed out waiting for: $*"
        read -rt 0.05 <> <(:) || true
    done
}

# Prints a command of till as a user would type it, and runs it.
till() {
    local word line='$ till'
    for word in "$@"; do
        case $word in *" "*) line+=" '$word'" ;; *) line+=" $word" ;; esac
    done
    printf '%s\n' "$line"
    "$bin/till" "$@" 2>&1 | tee "$dir/out"
}
# The same, for a command that must fail.
till_fails() { if till "$@"; then fail "till $* did not fail"; fi; }
# Whether the last command of till printed this.
expect() { grep -qF -- "$1" "$dir/out" || fail "missing in the output: $1"; }
refuse() { if grep -qF -- "$1" "$dir/out"; then fail "unexpected in the output: $1"; fi; }
# Prints a member of the first JSON line of a till command.
field() { "$bin/till" "${@:2}" --json | head -n 1 | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
