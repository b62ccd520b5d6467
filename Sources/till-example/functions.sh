# What the demonstrations share: to be read by a script that has set `bin`, the folder with the built programs.
# Everything happens in a temporary directory, which is removed at the end, and so are the processes.

name=$(basename "$0" .sh)
dir=$(mktemp -d "${TMPDIR:-/tmp}/till-$name.XXXXXX")
export TILL_SOCKET=$dir/till.sock
unset TILL_CONFIG TILL_STATE TILL_CATALOGUE TILL_APPLICATION

clean_up() {
    # The shell would print a line about each process that it ends.
    exec 2>/dev/null
    for pid in $(jobs -p); do kill -9 "$pid" || true; done
    wait || true
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

# With `key`, starts a stand-in for Stripe at `stripe`. The arguments are options of the program.
start_stand_in() {
    "$bin/till-stripe-stand-in" --key "$key" --book "$dir/stripe.book" "$@" >"$dir/stand-in" &
    wait_until grep -q '^Listening on ' "$dir/stand-in"
    stripe=$(sed -n 's/^Listening on //p' "$dir/stand-in")
    printf '   (a stand-in for Stripe serves at %s)\n' "$stripe"
}
# Does what only Stripe, a bank, a payer or the merchant's browser does.
control() { curl --fail --silent --show-error "$stripe/control/$1" "${@:2}" --request POST; }
# Whether till explains the transaction `id` with this text. Into a file: through a pipe, grep would end before till has written
# all, and till would fail.
explains() { "$bin/till" why "$id" >"$dir/why" 2>&1 && grep -qF -- "$1" "$dir/why"; }
