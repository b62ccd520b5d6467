"""Tests shop.py of the client in Proto/Python with a real daemon whose ledger is in PostgreSQL.

usage: python_shop.py FOLDER_WITH_PROGRAMS EMPTY_FOLDER
"""

import os
import pathlib
import random
import subprocess
import sys
import time
import uuid
from contextlib import closing, contextmanager

import psycopg2
from python_peers import SECONDS, Daemon

APPLICATION = os.environ["TILL_APPLICATION"]
COINS = f"{APPLICATION}.coins10"


@contextmanager
def server():
    """A PostgreSQL server of its own: the directory of its socket. It ends with this program."""
    directory = f"/tmp/till-python-{uuid.uuid4()}"
    os.mkdir(directory)
    process = subprocess.Popen(
        ["Tests/PostgresCluster/run", directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n", "the server does not start"
        yield directory
    finally:
        process.stdin.close()
        process.wait(SECONDS)


def address(directory, user):
    return f"postgresql:///postgres?host={directory}&user={user}"


def start_shop(directory, output):
    words = [sys.executable, "Proto/Python/shop.py", address(directory, "shop")]
    return subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT)


def rows(database, sql):
    with database, database.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def purchases(database):
    """What the application has granted: identities with quantities."""
    if rows(database, "SELECT to_regclass('purchases')") == [(None,)]:
        return []
    return rows(database, "SELECT CAST(id AS text), quantity FROM purchases ORDER BY CAST(id AS text)")


def wait_until(condition, what):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def everything_bought_is_granted_once_although_the_shop_is_killed(daemon, directory, folder):
    payments = [str(uuid.uuid4()) for _ in range(20)]
    log = open(pathlib.Path(folder, "shop.log"), "w")
    with log as output, closing(psycopg2.connect(address(directory, "shop"))) as database:
        shop = start_shop(directory, output)
        try:
            for payment in payments:
                daemon.till("buy", COINS, "--quantity", "2", "--payment-id", payment)
                if random.random() < 0.4:
                    shop.kill()
                    shop.wait(SECONDS)
                    shop = start_shop(directory, output)
            granted = [(payment, 2) for payment in sorted(payments)]
            wait_until(lambda: purchases(database) == granted, "what was bought is not what was granted")
            wait_until(lambda: "purchased" not in daemon.till("transactions").stdout, "transactions stay in the queue")
            daemon.till("refund", payments[0], "--reason", "A test.")
            granted.remove((payments[0], 2))
            wait_until(lambda: purchases(database) == granted, "a refunded purchase stays granted")
        finally:
            shop.kill()
            shop.wait(SECONDS)


def main():
    programs, folder = sys.argv[1:]
    with server() as directory:
        owner = address(directory, "postgres")
        subprocess.run(
            [f"{programs}/tilld", "ledger", "init", "--ledger", owner, "--application-role", f"shop={APPLICATION}"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with closing(psycopg2.connect(owner)) as database, database, database.cursor() as cursor:
            cursor.execute("CREATE SCHEMA shop AUTHORIZATION shop")
        daemon = Daemon(programs, folder, options=["--ledger", owner])
        daemon.start()
        try:
            test = everything_bought_is_granted_once_although_the_shop_is_killed
            test(daemon, directory, folder)
            print(f"passed: {test.__name__.replace('_', ' ')}")
        finally:
            daemon.stop()


if __name__ == "__main__":
    main()
