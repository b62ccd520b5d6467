#!/usr/bin/python3
"""Lists the products of tilld's store, and buys one: the whole life of a purchase."""

import argparse
import os
import secrets
import sys
import time
import uuid
from contextlib import closing
from typing import Iterator

from till.v1 import payment_queue_pb2 as queue
from till.v1 import products_pb2 as products
from till.v1.transaction_pb2 import DEFERRED, FAILED, PURCHASING, Payment, Transaction, TransactionState
from till_client import PRODUCTS, QUEUE, RETRYABLE, Client, Code, TillError


def all_products(client: Client) -> Iterator[products.Product]:
    request = products.ProductsRequest()
    while True:
        page = client.call(PRODUCTS, "Products", request, products.ProductsResponse)
        yield from page.products
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def new_id() -> uuid.UUID:
    """A UUID of version 7: milliseconds since 1970, and random bits."""
    time_ms = time.time_ns() // 1_000_000
    return uuid.UUID(int=time_ms << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62))


def purchase(client: Client, payment: Payment) -> Transaction:
    """Adds the payment, waits for its outcome, and finishes its transaction. It may be repeated from the beginning."""
    # The observer is passive: it handles only this payment, and must not acknowledge refunds for the application.
    changes = client.changes(is_passive=True)
    next(changes, None)  # The mark of the initial delivery. No change after it is missed.
    request = queue.AddPaymentRequest(payment=payment)
    transaction = client.call(QUEUE, "AddPayment", request, queue.AddPaymentResponse).transaction
    if transaction.is_finished:
        return transaction
    for event in changes:
        kind = event.WhichOneof("event")
        if kind not in ("updated", "revoked", "removed") or getattr(event, kind).id != payment.id:
            continue
        transaction = getattr(event, kind)
        state = TransactionState.DESCRIPTOR.values_by_number.get(transaction.state)
        print(f"{kind}: {state.name.lower() if state else transaction.state}", flush=True)
        if kind == "removed":
            return transaction
        if transaction.state not in (PURCHASING, DEFERRED):
            # Here an application gives the user what was bought, and stores that on disk.
            finish = queue.FinishTransactionRequest(transaction_id=payment.id)
            client.call(QUEUE, "FinishTransaction", finish, queue.FinishTransactionResponse)
    raise TillError(Code.UNAVAILABLE, "The daemon ended the stream of changes.")


def buy(path: str, application: str, payment: Payment, attempts: int = 10) -> Transaction:
    """Buys, and starts again if the connection is lost: the payment keeps its identity, so it is charged at most once."""
    attempt = 0
    while True:
        try:
            with closing(Client(path, application)) as client:
                return purchase(client, payment)
        except TillError as error:
            attempt += 1
            if error.code not in RETRYABLE or attempt == attempts:
                raise
            print(f"{error} Asking again with the same payment.", file=sys.stderr, flush=True)
            time.sleep(min(0.05 * 2**attempt, 5))


def main() -> None:
    parser = argparse.ArgumentParser(description="List the products of tilld's store, and buy one.")
    parser.add_argument("product", nargs="?", help="Buy this product.")
    parser.add_argument("--application", default=os.environ.get("TILL_APPLICATION", ""), help="Default: $TILL_APPLICATION.")
    path = os.environ.get("TILL_SOCKET", "/run/till/till.sock")
    parser.add_argument("--socket", default=path, help="Default: $TILL_SOCKET.")
    parser.add_argument("--payment-id", type=uuid.UUID, default=new_id(), help="Retry the payment with this identity.")
    options = parser.parse_args()
    try:
        with closing(Client(options.socket, options.application)) as client:
            for product in all_products(client):
                print(f"{product.id}  {product.price.amount} {product.price.currency}  {product.display_name}")
        if not options.product:
            return
        # An application stores the identity before it adds the payment, and so can repeat it even after a crash.
        print(f"payment: {options.payment_id}", flush=True)
        payment = Payment(id=options.payment_id.bytes, product_id=options.product, quantity=1)
        transaction = buy(options.socket, options.application, payment)
    except TillError as error:
        sys.exit(f"buy.py: {error}")
    if transaction.state == FAILED:
        sys.exit(f"buy.py: The purchase failed: {transaction.error.message}")
    print(f"transaction: {transaction.purchase.transaction_identifier}\nreceipt: {transaction.receipt}")


if __name__ == "__main__":
    main()
