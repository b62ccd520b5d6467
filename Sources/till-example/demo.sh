#!/usr/bin/env bash
# Shows the queue at work: two apps and one daemon, which are killed during their work.
# The argument is the folder with the built programs.
set -euo pipefail

bin=$(cd "${1:?usage: demo.sh FOLDER_WITH_PROGRAMS}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
source "$here/functions.sh"
catalogue=$dir/shop/Notes.storekit
state=$dir/state
notes=org.example.notes
daemon= app=

wait_for_line() { wait_until grep -qF -- "$2" "$1"; }
expect_line() { grep -qF -- "$2" "$1" || fail "a line is missing in the output: $2"; }

# The catalogue, and beside it the manifest of the hosted content: 24 MiB for buyers of "pro".
open_shop() {
    mkdir "$dir/shop"
    cp "$here/Notes.storekit" "$catalogue"
    head -c 25165824 /dev/urandom >"$dir/shop/templates"
    local sum=$(sha256sum <"$dir/shop/templates")
    cat >"$dir/shop/Notes.content.json" <<EOF
{"version": 1, "products": {"$notes.pro": [
    {"identifier": "templates", "version": "1.0", "length": 25165824, "sha256": "${sum%% *}", "source": "file:templates"}
]}}
EOF
}

start_daemon() {
    "$bin/tilld" --catalogue "$catalogue" --state "$state" --log-level error --content-bandwidth 12582912 \
        --simulated-decline $notes.themes --simulated-refuse-restore org.example.offline &
    daemon=$!
    wait_until "$bin/till" --application $notes status
}

# Whether this many MiB of the content are downloaded.
downloaded() {
    local bytes
    bytes=$("$bin/till" --application $notes downloads | sed -n 's/.* bytes=\([0-9]*\)\/.*/\1/p')
    [ "${bytes:-0}" -ge $(($1 << 20)) ]
}

# Kills a process without a message from the shell.
crash() { kill -9 "$1"; wait "$1" 2>/dev/null || true; }

open_shop

say "The daemon starts"
start_daemon
"$bin/till" --application $notes status

say "App A buys a consumable twice and a non-consumable, and is killed before it finishes them"
"$bin/till-example" --name A --application $notes --no-finish --grants "$dir/A.grants" \
    --buy $notes.coins10:2 --buy $notes.pro > >(tee "$dir/A1") &
app=$!
wait_for_line "$dir/A1" "granted  $notes.pro"
crash "$app"; app=
printf '   (SIGKILL to app A)\n'

say "App A starts again: the transactions are delivered again, and finished"
"$bin/till-example" --name A --application $notes --exit-when-idle --grants "$dir/A.grants" | tee "$dir/A2"
expect_line "$dir/A2" "paymentQueue(_:removedTransactions:)  $notes.coins10 ×2"
expect_line "$dir/A2" "paymentQueue(_:removedTransactions:)  $notes.pro"

say "App B watches while the daemon is killed and restarted"
"$bin/till-example" --name B --application $notes > >(tee "$dir/B") &
app=$!
wait_for_line "$dir/B" "initial delivery ended"
"$bin/till" --application $notes buy $notes.coins100 >/dev/null
wait_for_line "$dir/B" "paymentQueue(_:removedTransactions:)  $notes.coins100"
crash "$daemon"
printf '   (SIGKILL to the daemon)\n'
wait_for_line "$dir/B" "disconnected"
start_daemon
"$bin/till" --application $notes buy $notes.coins10 >/dev/null
wait_for_line "$dir/B" "paymentQueue(_:removedTransactions:)  $notes.coins10 "
revisions=$(sed -n 's/.*revision=\([0-9]*\).*/\1/p' "$dir/B")
[ "$revisions" = "$(sort -nu <<<"$revisions")" ] || fail "B's revisions do not rise: $revisions"
printf '   (B saw revisions %s: none lost, none duplicated)\n' "$(tr '\n' ' ' <<<"$revisions")"

say "A payment that the provider declines"
"$bin/till" --application $notes buy $notes.themes 2>&1 && fail "the declined payment did not fail"
wait_for_line "$dir/B" "paymentQueue(_:removedTransactions:)  $notes.themes"
kill "$app"; wait "$app" 2>/dev/null || true; app=

say "Restore: each non-consumable with its original, then the end"
"$bin/till-example" --name A --application $notes --restore --exit-when-idle --grants "$dir/A.grants" | tee "$dir/A3"
expect_line "$dir/A3" "paymentQueueRestoreCompletedTransactionsFinished(_:)  1 restored"

say "A restore that the provider refuses"
"$bin/till-example" --name C --application org.example.offline --restore --exit-when-idle | tee "$dir/C"
expect_line "$dir/C" "paymentQueue(_:restoreCompletedTransactionsFailedWithError:)"

say "Content of a purchase: it is downloaded, paused, and continued after the daemon was killed"
"$bin/till" --application $notes buy $notes.pro >"$dir/pro"
"$bin/till" --application $notes downloads start --all
wait_until downloaded 4
"$bin/till" --application $notes downloads pause --all | tee "$dir/paused"
expect_line "$dir/paused" "templates 1.0  paused"
"$bin/till" --application $notes downloads resume --all
crash "$daemon"
printf '   (SIGKILL to the daemon)\n'
start_daemon
"$bin/till" --application $notes downloads wait | tee "$dir/downloads"
expect_line "$dir/downloads" "templates 1.0  finished"
content=$(sed -n 's/.*finished.* path=\([^ ]*\).*/\1/p' "$dir/downloads" | tail -1)
cmp "$content" "$dir/shop/templates" || fail "the content differs from the hosted content"
printf '   (the content is whole and right)\n'

say "Its receipt: signed by the store, in the App Store's format"
id=$(sed -n 's/.* id=\([^ ]*\).*/\1/p' "$dir/pro" | head -1)
"$bin/till" --application $notes receipt show "$id" >"$dir/receipt"
"$bin/till" --application $notes receipt root -o "$dir/root.pem"
"$bin/till" --application $notes receipt verify "$dir/receipt" --root "$dir/root.pem"
sed 's|\.ey|.ye|' "$dir/receipt" >"$dir/forged"
"$bin/till" --application $notes receipt verify "$dir/forged" --root "$dir/root.pem" 2>&1 &&
    fail "a forged receipt was accepted"
"$bin/till" --application $notes finish --all >/dev/null
wait_until test ! -e "$content"
printf '   (finished: the content is gone)\n'

say "The daemon stops, and its books are compared with the provider's, charge by charge"
kill "$daemon"
wait "$daemon" || fail "the daemon ended with status $?"
daemon=
"$bin/tilld" reconcile --state "$state"
