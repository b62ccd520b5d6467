#!/usr/bin/env bash
# Shows the rules of buying, one scenario after another, with only `till` and `tilld`: each command is printed before
# its output. The arguments are the folder with the built programs, and the names of scenarios (default: all).
set -euo pipefail

usage="usage: scenarios.sh FOLDER_WITH_PROGRAMS [ask-to-buy|interrupted|subscription|refund|restore|agent|unknown]..."
bin=$(cd "${1:?$usage}" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
source "$here/functions.sh"
catalogue=$here/Notes.storekit
export TILL_APPLICATION=org.example.notes
notes=$TILL_APPLICATION
daemon= agent=

start_daemon() {
    "$bin/tilld" --catalogue "$catalogue" --state "$dir/state" --log-level error "$@" &
    daemon=$!
    wait_until "$bin/till" status
}
crash_daemon() {
    printf '   (SIGKILL to the daemon)\n'
    kill -9 "$daemon"
    wait "$daemon" 2>/dev/null || true
    daemon=
}
stop_daemon() {
    [ -z "$daemon" ] || { kill "$daemon"; wait "$daemon" || fail "the daemon ended with status $?"; }
    daemon=
    "$bin/tilld" reconcile --state "$dir/state" | tail -n 1
    rm -rf "$dir/state"
}

ask_to_buy() {
    say "Ask to Buy: approved, declined, and expired without an answer"
    start_daemon --setting ask-to-buy=true
    for answer in approve decline; do
        till buy $notes.coins10 --no-wait
        expect deferred
        till $answer "$(field id requests)" --reason "the answer of a parent"
    done
    till transactions
    expect "×1  purchased"
    expect "The purchase was declined"
    till buy $notes.pro --no-wait
    crash_daemon
    start_daemon --setting ask-to-buy=true
    till clock advance 25h
    crash_daemon
    start_daemon
    till transactions
    expect "Nobody approved the purchase in time"
}

interrupted() {
    say "An interrupted purchase fails, and another transaction continues it once the interruption is resolved"
    start_daemon --setting interrupted-purchases=true
    till_fails buy $notes.coins10
    expect "interrupted"
    local id
    id=$(field id transactions)
    crash_daemon
    start_daemon --setting interrupted-purchases=true
    till resolve "$id" --reason "the terms were accepted"
    expect "purchased"
    expect "continues=$id"
    stop_daemon
    say "The same with one transaction that waits"
    start_daemon --setting interrupted-purchases=true --setting interrupted-as-deferred=true
    till buy $notes.coins10 --no-wait
    expect "waits-for=resolution"
    till resolve "$(field id transactions)"
    expect "purchased"
}

subscription() {
    say "A year of a monthly subscription: trial, renewals, a failed renewal, grace, recovery, cancellation"
    start_daemon
    till buy $notes.sync.monthly
    expect "offer=introductory/free-trial"
    local id
    id=$(field id transactions)
    till clock advance 100d
    till subscriptions
    expect "subscribed"
    till settings set billing-retry=true grace-period=true >"$dir/out"
    till clock advance 30d
    till subscriptions
    expect "in grace period"
    till entitlements
    expect "$notes.sync.monthly"
    till settings reset >"$dir/out"
    till resolve "$id" --reason "another card"
    till subscriptions
    expect "subscribed"
    till auto-renew off "$id" --reason "asked by the user"
    till clock advance 230d
    till subscriptions
    expect "expired"
    till entitlements
    refuse "$notes.sync.monthly"
    till transactions
    till reconcile
}

refund() {
    say "A refund of one of three, then of the rest, but no more"
    start_daemon
    till buy $notes.coins10 --quantity 3
    local id
    id=$(field id transactions)
    till refund "$id" --quantity 1 --reason "one was not delivered"
    expect "0.99 USD"
    till refund "$id" --reason "and the others"
    expect "1.98 USD"
    till_fails refund "$id"
    till why "$id"
    till audit verify
}

restore() {
    say "Restore: without purchases, then with finished purchases"
    start_daemon
    till restore
    expect "0 restored"
    for product in pro themes; do
        till buy $notes.$product
    done
    till finish --all
    till restore
    expect "2 restored"
    crash_daemon
    start_daemon
    till restore
    expect "2 restored"
    till transactions
}

agent() {
    say "An authorisation agent approves purchases before they are charged"
    start_daemon --setting authorization=refuse
    till_fails buy $notes.coins10
    printf '$ till agent --yes &\n'
    "$bin/till" agent --yes >"$dir/agent" &
    agent=$!
    # Purchases succeed only while an agent is connected.
    wait_until "$bin/till" buy $notes.coins10
    till buy $notes.coins10
    expect "purchased"
    kill "$agent"
    wait "$agent" 2>/dev/null || true
    agent=
    printf '   (the agent said)\n'
    cat "$dir/agent"
}

unknown() {
    say "A provider that does not answer: the outcome is unknown, and an operator resolves it"
    start_daemon --simulated-unreachable $notes.coins10
    till buy $notes.coins10 --no-wait
    till clock advance 24h
    till find --attention needs-review
    expect "$notes.coins10"
    local id
    id=$(field id transactions)
    till settings set provider-unreachable= >"$dir/out"
    till resolve "$id" --not-charged --reason "the provider's book has no such charge"
    till reconcile
    till why "$id"
}

for scenario in "${@:-ask-to-buy interrupted subscription refund restore agent unknown}"; do
    for name in $scenario; do
        case $name in
            ask-to-buy | interrupted | subscription | refund | restore | agent | unknown) "${name//-/_}" ;;
            *) fail "$usage" ;;
        esac
        stop_daemon
    done
done
