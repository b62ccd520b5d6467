#!/usr/bin/python3
"""Keeps purchases in the PostgreSQL database that has tilld's ledger: what the application stores and the finish of its
transaction are one transaction of the database, so that nothing is granted twice and nothing is forgotten."""

import argparse
import os
import sys
import time
import uuid
from contextlib import closing

import psycopg2
from till.v1 import payment_queue_pb2 as queue
from till.v1.transaction_pb2 import FAILED, PURCHASED, RESTORED
from till_client import RETRYABLE, Client, TillError


def handle(database, event: queue.Event) -> None:
    """Stores what a change of the queue means for the application. The same change may come again."""
    kind = event.WhichOneof("event")
    if kind not in ("updated", "revoked"):
        return
    transaction = getattr(event, kind)
    identity = str(uuid.UUID(bytes=transaction.id))
    # Commits at the end, or rolls back if anything fails.
    with database, database.cursor() as cursor:
        if kind == "revoked":
            cursor.execute("DELETE FROM purchases WHERE id = %s", [identity])
        elif transaction.state in (PURCHASED, RESTORED, FAILED):
            cursor.execute("SELECT till.finish(%s)", [identity])
            (is_finished_by_this,) = cursor.fetchone()
            if is_finished_by_this and transaction.state != FAILED:
                payment = transaction.payment
                cursor.execute(
                    "INSERT INTO purchases (id, product, quantity) VALUES (%s, %s, %s)",
                    [identity, payment.product_id, payment.quantity],
                )
                print(f"granted: {payment.quantity} of {payment.product_id}", flush=True)


def serve(path: str, application: str, database) -> None:
    """Handles the queue's changes until the connection is lost."""
    with closing(Client(path, application)) as client:
        for event in client.changes():
            handle(database, event)


def main() -> None:
    parser = argparse.ArgumentParser(description="Keep purchases in the database of tilld's ledger, until Ctrl-C.")
    parser.add_argument("database", help="The database, such as 'host=/var/run/postgresql dbname=till user=shop'.")
    parser.add_argument("--application", default=os.environ.get("TILL_APPLICATION", ""), help="Default: $TILL_APPLICATION.")
    path = os.environ.get("TILL_SOCKET", "/run/till/till.sock")
    parser.add_argument("--socket", default=path, help="Default: $TILL_SOCKET.")
    options = parser.parse_args()
    try:
        with closing(psycopg2.connect(options.database)) as database:
            with database, database.cursor() as cursor:
                cursor.execute(
                    "CREATE TABLE IF NOT EXISTS purchases (id uuid PRIMARY KEY, product text NOT NULL, quantity int NOT NULL)"
                )
            while True:
                try:
                    serve(options.socket, options.application, database)
                except TillError as error:
                    if error.code not in RETRYABLE:
                        raise
                    print(f"{error} Trying again.", file=sys.stderr, flush=True)
                time.sleep(1)
    except (TillError, psycopg2.Error) as error:
        sys.exit(f"shop.py: {str(error).strip()}")
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
