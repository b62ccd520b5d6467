#!/usr/bin/env bash
# Shows purchases through Stripe, without Stripe: the daemon charges at a stand-in, and the payer types test cards into its
# pages in headless Chromium. No money moves, and nothing leaves this machine.
# The argument is the folder with the built programs.
set -euo pipefail

bin=$(cd "${1:?usage: stripe-demo.sh FOLDER_WITH_PROGRAMS}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
source "$here/functions.sh"
export TILL_APPLICATION=org.example.shop
shop=$TILL_APPLICATION
key=rk_test_demo secret=whsec_demo
webhooks=unix:$dir/webhooks.sock
# Cards of Stripe's test mode (https://docs.stripe.com/testing).
good=4242424242424242 declined=4000000000000002 secure=4000000000003220 disputed=4000000000000259

start_daemon() {
    (umask 077 && printf '%s\n' $key >"$dir/key" && printf '%s\n' $secret >"$dir/secrets")
    "$bin/tilld" --catalogue "$here/Shop.storekit" --state "$dir/state" --log-level error --provider stripe \
        --stripe-key-file "$dir/key" --stripe-address "$stripe" --stripe-return-url https://shop.example.org/paid \
        --stripe-webhook-address "$webhooks" --stripe-webhook-secrets-file "$dir/secrets" &
    wait_until "$bin/till" status
}

# Buys a product; `id` is the transaction, and `page` its page at Stripe.
buy() {
    till buy "$1" --no-wait
    id=$(sed -n 's/.* id=\([^ ]*\).*/\1/p' "$dir/out" | head -n 1)
    wait_until "$bin/till" payment-page "$id"
    page=$("$bin/till" payment-page "$id")
}
pay() { "$here/browser.py" "$page" "$@"; }

say "A stand-in for Stripe, and a daemon with a key of test mode"
start_stand_in --webhook "$webhooks:/stripe/webhook" --webhook-secret $secret
start_daemon
till status

say "A purchase is paid on Stripe's page"
buy $shop.coins10
till requests
pay $good
wait_until explains "purchased"
till why "$id"

say "A card is declined; the payer tries another one on the same page"
buy $shop.coins10
pay $declined $good
wait_until explains "purchased"

say "A card is declined, and the payer gives up"
buy $shop.coins10
pay $declined && fail "the declined card was accepted"
till decline "$id"
wait_until explains "failed"
till why "$id"

say "A bank asks the payer to confirm (3-D Secure)"
buy $shop.pro
pay $secure
wait_until explains "purchased"

say "The operator gives the money back"
till refund "$id" --reason "the customer changed their mind"
wait_until explains "revoked"
till why "$id"

say "The payer disputes a payment at the bank, and a webhook of Stripe rings for it"
buy $shop.pro
pay $disputed
wait_until explains "purchased"
wait_until explains "dispute"
till why "$id"

say "The bank decides for the payer: the purchase is revoked"
dispute=$(sed -n 's/.*the dispute \(du_[A-Za-z0-9]*\).*/\1/p' "$dir/out" | head -n 1)
control close_dispute --data-urlencode "dispute=$dispute" --data status=lost >/dev/null
wait_until explains "revoked"
till transactions

say "What moved at Stripe, and the books that agree"
control movements | /usr/bin/python3 -c '
import json, sys
left = 0
for movement in json.load(sys.stdin):
    amount = movement["amount"] if movement["kind"] == "charge" else -movement["amount"]
    left += amount
    print("   {kind:8} {:6}  {intent}".format(amount, **movement))
print("   {:8} {:6}".format("left", left))'
till reconcile
expect "The ledger and the provider agree: 4 charges compared."
