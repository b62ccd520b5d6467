#!/usr/bin/env bash
# Shows three daemons with one ledger: a primary PostgreSQL server and its standby, and a stand-in for Stripe. No money moves, and
# nothing leaves this machine. The arguments are the folder with the built programs, and the program that runs a server.
set -euo pipefail

usage='usage: hosts-demo.sh FOLDER_WITH_PROGRAMS PROGRAM_THAT_RUNS_A_SERVER'
bin=$(cd "${1:?$usage}" && pwd)
postgres=${2:?$usage}
here=$(cd "$(dirname "$0")" && pwd)
source "$here/functions.sh"
export TILL_APPLICATION=org.example.shop
shop=$TILL_APPLICATION
key=rk_test_demo
# The server's own user has to reach its directory.
chmod a+x "$dir"
role_address() { printf 'postgresql:///postgres?user=%s&target_session_attrs=read-write&host=' "$1"; }
servers=$dir/first,$dir/second
declare -A daemons

# Starts a server whose commands are read from a pipe, which stays open as long as this script runs.
start_server() {
    local name=$1
    shift
    mkdir "$dir/$name"
    mkfifo "$dir/$name.commands"
    "$postgres" "$dir/$name" "$@" <"$dir/$name.commands" >"$dir/$name.out" 2>"$dir/$name.err" &
    local commands
    exec {commands}>"$dir/$name.commands"
    printf -v "$name" %s "$commands"
    wait_until grep -q ready "$dir/$name.out"
}
# Gives a server a command, and waits until it is carried out.
server() {
    local name=$1 count
    count=$(grep -c ready "$dir/$name.out")
    printf '%s\n' "$2" >&"${!name}"
    wait_until server_has_answered "$name" $((count + 1))
}
server_has_answered() { [ "$(grep -c ready "$dir/$1.out")" -ge "$2" ]; }
# Lets the primary confirm a commit only once its standby has it.
wait_for_standbys() {
    query postgres "ALTER SYSTEM SET synchronous_standby_names TO '*'"
    query postgres "SELECT pg_reload_conf()" >/dev/null
}
query() { psql "$(role_address "$1")$servers" --no-psqlrc --quiet --tuples-only --no-align --command "$2"; }

# Starts the daemon of a host. The others sign with the certificates of the first.
start_host() {
    if [ ! -d "$dir/state-$1" ] && [ -d "$dir/state-a" ]; then
        (umask 077 && mkdir "$dir/state-$1" && cp -r "$dir/state-a/receipts" "$dir/state-$1/")
    fi
    "$bin/tilld" --catalogue "$here/Shop.storekit" --state "$dir/state-$1" --socket "$dir/$1.sock" --log-level critical \
        --ledger "$(role_address till_daemon)$servers" --host "$1" --host-users same --provider stripe \
        --stripe-key-file "$dir/key" --stripe-address "$stripe" --stripe-return-url https://shop.example.org/paid &
    daemons[$1]=$!
    wait_until "$bin/till" --socket "$dir/$1.sock" status
}
# Kills a daemon without a message from the shell.
crash() { kill -9 "${daemons[$1]}"; wait "${daemons[$1]}" 2>/dev/null || true; printf '   (SIGKILL to the daemon of host %s)\n' "$1"; }
# The commands that follow use the daemon of this host.
at() { host=$1; export TILL_SOCKET=$dir/$1.sock; }

# Buys a product at the host; `id` is the transaction.
buy() {
    printf '%s: ' "$host"
    till buy "$1" --no-wait
    id=$(sed -n 's/.* id=\([^ ]*\).*/\1/p' "$dir/out" | head -n 1)
}
# Pays on the page that the host knows for the transaction.
pay() {
    wait_until "$bin/till" payment-page "$id"
    local page
    page=$("$bin/till" payment-page "$id")
    page=${page##*/}
    control pay --data-urlencode "session=${page%%[?#]*}" >/dev/null
    printf '   (the payer pays on the page of Stripe, which host %s shows)\n' "$host"
}
printed() { grep -F -- "$2" "$dir/$1" | grep -qF -- "$id"; }

say "A PostgreSQL server, its standby, and a ledger in it that three hosts share"
start_server first
"$bin/tilld" ledger init --ledger "$(role_address postgres)$dir/first" --daemon-role till_daemon --application-role shop=$shop
start_server second --standby-of "$dir/first"
wait_for_standbys
start_stand_in
(umask 077 && printf '%s\n' $key >"$dir/key")
for host in a b c; do start_host $host; done
at a
till hosts

say "What is begun at host a is delivered at host b, and finished at host c"
"$bin/till" --socket "$dir/b.sock" watch >"$dir/watched" 2>"$dir/watch-errors" &
wait_until grep -q . "$dir/watched"
buy $shop.coins10
at c
pay
wait_until printed watched purchased
till finish "$id"
wait_until printed watched removed
printf 'what till watch printed at host b:\n'
cat "$dir/watched"

say "Host a is killed in the middle of a charge: host b ends it"
at a
control fault --data kind=hang --data moment=before --data path=/v1/checkout/sessions --data count=1 >/dev/null
buy $shop.coins10
asked() { control requests | grep -q '"path":"/v1/checkout/sessions".*"path":"/v1/checkout/sessions"'; }
wait_until asked
crash a
at b
pay
wait_until explains purchased
till why "$id"
till hosts

say "The primary server is killed, and its standby takes over: hosts b and c continue"
server first crash
server second promote
buy $shop.pro
pay
wait_until explains purchased
printf '   (purchased at the new primary)\n'

say "An application finishes it in its own transaction: once"
for answer in t f; do
    printf "$ psql --command \"SELECT till.finish('%s')\"\n" "$id"
    found=$(query shop "SELECT till.finish('$id')")
    printf '%s\n' "$found"
    [ "$found" = $answer ] || fail "till.finish answered $found"
done
wait_until printed watched removed

say "The first server is its standby from now on, and host a starts again"
server first "follow $dir/second"
wait_for_standbys
start_host a
at a
till hosts

say "What moved at Stripe, and the books that agree"
control movements | /usr/bin/python3 -c '
import json, sys
for movement in json.load(sys.stdin):
    print("   {kind:8} {amount:6}  {intent}".format(**movement))'
till reconcile
expect "The ledger and the provider agree: 3 charges compared."
