"""Tests the client in Proto/Python with a real daemon, and then with peers that break the protocol.

usage: python_client.py FOLDER_WITH_PROGRAMS EMPTY_FOLDER

Each test is a function whose name is the sentence that it proves. The script `python` in this folder sets the environment.
"""

import contextlib
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import traceback
import uuid
from contextlib import closing
from functools import partial

import buy
from python_peers import CATALOGUE, SECONDS, Cut, Daemon, Peer
from till.v1 import authorization_pb2 as authorization
from till.v1 import payment_queue_pb2 as queue
from till.v1 import products_pb2 as products
from till.v1.transaction_pb2 import FAILED, PURCHASED, PURCHASING, Payment
from till_client import CLOSED, DATA, HEADER, NO_DATA, PRODUCTS, QUEUE, RESPONSE, Client, Code, TillError
from ttrpc.request_pb2 import Request, Response, Status

AUTHORIZATION = "till.v1.Authorization"
APPLICATION = os.environ["TILL_APPLICATION"]
COINS = f"{APPLICATION}.coins10"
TEST_SECONDS = 60


# The calls of the tests.


def connect(path=None):
    return closing(Client(path or os.environ["TILL_SOCKET"], APPLICATION))


def payment_for(product_id):
    return Payment(id=buy.new_id().bytes, product_id=product_id, quantity=1)


def add(client, payment):
    return client.call(QUEUE, "AddPayment", queue.AddPaymentRequest(payment=payment), queue.AddPaymentResponse).transaction


def approve(client, payment_id):
    request = authorization.AnswerRequest(id=payment_id, approves=True)
    client.call(AUTHORIZATION, "Answer", request, authorization.AnswerResponse)


def finish(client, payment_id):
    request = queue.FinishTransactionRequest(transaction_id=payment_id)
    return client.call(QUEUE, "FinishTransaction", request, queue.FinishTransactionResponse).revision


def listed(client, payment_id):
    """The transactions of a payment, finished or not: there must be one at most."""
    request = queue.ListTransactionsRequest(include_finished=True)
    found = []
    while True:
        page = client.call(QUEUE, "ListTransactions", request, queue.ListTransactionsResponse)
        found += [each for each in page.transactions if each.id == payment_id or each.payment.id == payment_id]
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


def observe(client):
    """The changes after the initial delivery."""
    changes = client.changes()
    while next(changes).WhichOneof("event") != "initial_delivery_ended":
        pass
    return changes


def change(changes, payment_id, state):
    """The next change of a transaction to this state: its kind and the transaction."""
    for event in changes:
        kind = event.WhichOneof("event")
        transaction = getattr(event, kind)
        if kind in ("updated", "removed") and transaction.id == payment_id:
            if transaction.state == state:
                return kind, transaction
            # What it waits for may change before its state does.
            assert (kind, transaction.state) == ("updated", PURCHASING), event
    raise AssertionError("the stream has ended")


def fails(code, call, text=""):
    """The call fails with this code, and a message that contains the text."""
    try:
        result = call()
    except TillError as error:
        assert error.code == code and text in str(error), f"expected {code!r} with {text!r}, got: {error}"
    else:
        raise AssertionError(f"expected {code!r}, got: {result}")


# With a real daemon.


def the_products_are_those_of_the_catalogue(daemon):
    catalogue = json.loads(pathlib.Path(CATALOGUE).read_text())
    sold = catalogue["products"] + catalogue["nonRenewingSubscriptions"]
    for group in catalogue["subscriptionGroups"]:
        sold += group["subscriptions"]
    expected = {each["productID"]: (each["displayPrice"], each["localizations"][0]["displayName"]) for each in sold}
    with connect() as client:
        found = {each.id: (each.price.amount, each.display_name) for each in buy.all_products(client)}
        assert found == expected, found
        request = products.ProductsRequest(product_ids=[COINS, "org.example.none"])
        some = client.call(PRODUCTS, "Products", request, products.ProductsResponse)
    assert [each.id for each in some.products] == [COINS], some
    assert [each.product_id for each in some.invalid] == ["org.example.none"], some


def a_purchase_is_observed_from_purchasing_to_removed_while_another_stream_asks_for_consent(daemon):
    payment = payment_for(COINS)
    with connect() as client:
        changes = observe(client)
        requests = client.stream(
            AUTHORIZATION, "Watch", authorization.WatchRequest(watch_id=1), authorization.AuthorizationEvent
        )
        assert add(client, payment).state == PURCHASING
        asked = next(event.requested for event in requests if event.requested.id == payment.id)
        assert (asked.product_id, asked.price.amount) == (COINS, "0.99"), asked
        kind, purchasing = change(changes, payment.id, PURCHASING)
        assert kind == "updated" and not purchasing.receipt, purchasing
        approve(client, payment.id)
        kind, purchased = change(changes, payment.id, PURCHASED)
        assert kind == "updated" and purchased.purchase.transaction_identifier.isdigit(), purchased
        assert purchased.receipt.count(".") == 2, purchased
        revision = finish(client, payment.id)
        kind, removed = change(changes, payment.id, PURCHASED)
        assert kind == "removed" and removed.is_finished and removed.revision == revision, removed
        assert purchasing.revision < purchased.revision < revision


def the_same_payment_twice_is_one_transaction(daemon):
    payment = payment_for(COINS)
    with connect() as client:
        assert add(client, payment).id == add(client, payment).id == payment.id
        assert len(listed(client, payment.id)) == 1
        other = Payment(id=payment.id, product_id=COINS, quantity=2)
        fails(Code.ALREADY_EXISTS, lambda: add(client, other))
        changes = observe(client)
        approve(client, payment.id)
        change(changes, payment.id, PURCHASED)
        finish(client, payment.id)
        assert add(client, payment).is_finished
        assert len(listed(client, payment.id)) == 1


def an_unknown_product_is_named(daemon):
    payment = payment_for("org.example.none")
    with connect() as client:
        failed = add(client, payment)
        assert failed.state == FAILED and "org.example.none" in failed.error.message, failed
        fails(Code.INVALID_ARGUMENT, lambda: add(client, payment_for("no product")), "The product identifier")
    with running_program("org.example.none") as program:
        printed, error = program.communicate(timeout=SECONDS)
    assert program.returncode == 1 and "removed: failed" in printed, printed
    assert "has no product org.example.none" in error and "Traceback" not in error, error


def a_change_by_another_process_arrives(daemon):
    with connect() as client:
        changes = observe(client)
        bought = json.loads(daemon.till("buy", COINS, "--no-wait", "--json").stdout)
        payment_id = uuid.UUID(bought["id"]).bytes
        assert change(changes, payment_id, PURCHASING)[0] == "updated"
        approve(client, payment_id)
        assert change(changes, payment_id, PURCHASED)[0] == "updated"
        daemon.till("finish", bought["id"])
        assert change(changes, payment_id, PURCHASED)[0] == "removed"


def a_cancelled_stream_leaves_the_connection_usable(daemon):
    with connect() as client:
        batches = client.stream(QUEUE, "Observe", queue.ObserveRequest(observer_id=1), queue.ObserveResponse)
        assert next(batches).events
        request = queue.CancelRequest(observer_id=1)
        assert client.call(QUEUE, "Cancel", request, queue.CancelResponse).found
        fails(Code.CANCELLED, lambda: next(batches))
        assert observe(client)
        observe_once = partial(client.call, QUEUE, "Observe", queue.ObserveRequest(), queue.ObserveResponse)
        fails(Code.INTERNAL, observe_once, "with a stream")
        assert client.call(QUEUE, "CanMakePayments", queue.CanMakePaymentsRequest(), queue.CanMakePaymentsResponse)


def a_payment_survives_kills_of_the_daemon_and_is_charged_once(daemon):
    payment = payment_for(COINS)
    with connect() as client:
        add(client, payment)
        daemon.kill()
        fails(Code.UNAVAILABLE, lambda: add(client, payment), "lost")
        fails(Code.UNAVAILABLE, lambda: add(client, payment), "lost")
    fails(Code.UNAVAILABLE, lambda: Client(daemon.socket, APPLICATION), "start tilld")
    daemon.start()
    with connect() as client:
        assert [each.state for each in listed(client, payment.id)] == [PURCHASING]
        assert add(client, payment).id == payment.id
        approve(client, payment.id)
        daemon.kill()
    daemon.start()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        transaction = buy.buy(daemon.socket, APPLICATION, payment)
    assert transaction.state == PURCHASED and transaction.is_finished, transaction
    assert printed.getvalue().endswith("updated: purchased\nremoved: purchased\n"), printed.getvalue()
    with connect() as client:
        assert len(listed(client, payment.id)) == 1


def the_program_continues_after_a_kill_of_the_daemon(daemon):
    payment_id = buy.new_id()
    with running_program(COINS, "--payment-id", str(payment_id)) as program:
        while program.stdout.readline() not in ("updated: purchasing\n", ""):
            pass
        daemon.kill()
        daemon.start()
        with connect() as client:
            approve(client, payment_id.bytes)
        printed, error = program.stdout.read(), program.stderr.read()
        program.wait(SECONDS)
    assert program.returncode == 0 and "removed: purchased\n" in printed and "receipt: ey" in printed, (printed, error)
    assert "Asking again with the same payment." in error and "Traceback" not in error, error


def an_answer_that_is_lost_is_asked_for_again(daemon):
    payment = payment_for(COINS)
    path = daemon.socket + ".link"

    def answered():
        # The client's next connection is to the daemon itself.
        os.symlink(daemon.socket, path + ".new")
        os.replace(path + ".new", path)
        with connect() as client:
            approve(client, payment.id)

    with Cut(path, daemon.socket, "AddPayment", answered).peer, contextlib.redirect_stdout(io.StringIO()):
        with contextlib.redirect_stderr(io.StringIO()) as error:
            transaction = buy.buy(path, APPLICATION, payment)
    assert error.getvalue().count("Asking again with the same payment.") == 1, error.getvalue()
    assert transaction.state == PURCHASED and transaction.is_finished, transaction
    with connect() as client:
        assert len(listed(client, payment.id)) == 1


def the_books_have_one_charge_for_each_purchase(daemon):
    with connect() as client:
        request = queue.ListTransactionsRequest(include_finished=True)
        page = client.call(QUEUE, "ListTransactions", request, queue.ListTransactionsResponse)
    bought = sorted(str(uuid.UUID(bytes=each.id)) for each in page.transactions if each.state == PURCHASED)
    assert len(bought) == 6 and not page.next_page_token, page
    daemon.stop()
    charges = [json.loads(line) for line in daemon.reconcile().splitlines()]
    assert sorted(each["payment_id"] for each in charges) == bought, charges
    assert all((each["finding"], each["provider_amount"]) == ("agrees", 99) for each in charges), charges


@contextlib.contextmanager
def running_program(*words):
    command = [sys.executable, "Proto/Python/buy.py", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            yield program
        finally:
            program.kill()


# With peers that break the protocol, or use what the daemon seldom uses.


def can_pay(client, timeout=SECONDS):
    request = queue.CanMakePaymentsRequest()
    return client.call(QUEUE, "CanMakePayments", request, queue.CanMakePaymentsResponse, timeout)


def first_batch(client):
    return next(client.stream(QUEUE, "Observe", queue.ObserveRequest(observer_id=1), queue.ObserveResponse))


def sends(data, **header):
    """A script that answers the request with a frame, and keeps the connection open."""

    def script(peer):
        peer.read()
        peer.send(data, **header)
        peer.wait_for_close()

    return script


def sends_bytes(data):
    """The same with any bytes, and then closes the connection."""

    def script(peer):
        peer.read()
        peer.connection.sendall(data)

    return script


BROKEN_RESPONSE = Response(payload=b"\xff").SerializeToString()
NEWER_STATUS = Response(status=Status(code=99, message="Newer.")).SerializeToString()
# The case, what the peer does after Hello, the call, its code, and a part of its message.
BROKEN_PEERS = [
    ("it closes the connection", sends_bytes(b""), can_pay, Code.UNAVAILABLE, "closed"),
    ("half a header", sends_bytes(b"\0\0\0"), can_pay, Code.UNAVAILABLE, "closed"),
    ("half a frame", sends_bytes(HEADER.pack(9, 3, RESPONSE, 0) + b"12"), can_pay, Code.UNAVAILABLE, "closed"),
    ("a frame of 4 GiB", sends_bytes(HEADER.pack(0xFFFFFFFF, 3, RESPONSE, 0)), can_pay, Code.UNAVAILABLE, "4294967295"),
    ("a frame of an unknown type", sends(b"", kind=9), can_pay, Code.UNAVAILABLE, "type 9"),
    ("an unreadable envelope", sends(b"\xff"), can_pay, Code.INTERNAL, "Response cannot be read"),
    ("an unreadable message", sends(BROKEN_RESPONSE), can_pay, Code.INTERNAL, "CanMakePaymentsResponse"),
    ("an unreadable batch", sends(b"\xff", kind=DATA), first_batch, Code.INTERNAL, "ObserveResponse"),
    ("data for a call", sends(b"", kind=DATA), can_pay, Code.INTERNAL, "with a stream"),
    ("a status of a newer daemon", sends(NEWER_STATUS), can_pay, 99, "status 99: Newer."),
    ("a status for a stream", sends(NEWER_STATUS), first_batch, 99, "Newer."),
]


def a_broken_peer_is_an_error_with_a_message(path, script, call, code, text):
    with Peer(path, script), closing(Client(path, APPLICATION)) as client:
        fails(code, partial(call, client), text)


def a_peer_that_breaks_hello_is_an_error(path):
    with Peer(path, sends_bytes(b"junk that is long enough"), answers_hello=False):
        fails(Code.UNAVAILABLE, lambda: Client(path, APPLICATION), "lost")


def a_peer_that_sends_nothing_is_an_error(path):
    # A frame of another stream is dropped.
    for script in (lambda peer: peer.wait_for_close(), sends(b"", stream=99)):
        with Peer(path, script), closing(Client(path, APPLICATION)) as client:
            fails(Code.UNAVAILABLE, lambda: can_pay(client, timeout=0.1), "timed out")
        with Peer(path, script, heartbeat_ms=300), closing(Client(path, APPLICATION)) as client:
            fails(Code.UNAVAILABLE, lambda: first_batch(client), "timed out")


def a_long_answer_arrives_in_pieces(path):
    page = products.ProductsResponse(products=[products.Product(id=f"{number:01000}") for number in range(3500)])
    answer = Response(payload=page.SerializeToString()).SerializeToString()
    frame = HEADER.pack(len(answer), 3, RESPONSE, 0) + answer

    def script(peer):
        peer.read()
        for end in range(40):
            peer.connection.sendall(frame[end : end + 1])
        peer.connection.sendall(frame[40:])

    with Peer(path, script), closing(Client(path, APPLICATION)) as client:
        assert len(answer) > 3 << 20
        assert list(buy.all_products(client)) == list(page.products)


def products_arrive_in_pages(path):
    tokens = []

    def script(peer):
        for product_id, next_token in (("first", "first"), ("second", "")):
            stream, data = peer.read()
            tokens.append(products.ProductsRequest.FromString(Request.FromString(data).payload).page_token)
            page = products.ProductsResponse(products=[products.Product(id=product_id)], next_page_token=next_token)
            peer.respond(stream, page)

    with Peer(path, script), closing(Client(path, APPLICATION)) as client:
        assert [each.id for each in buy.all_products(client)] == ["first", "second"]
    assert tokens == ["", "first"], tokens


def frames_of_a_stream_that_arrive_during_a_call_are_kept_in_order(path):
    def script(peer):
        observe, _ = peer.read()
        peer.deliver(queue.ObserveResponse(revision=1), observe)
        call, _ = peer.read()
        peer.deliver(queue.ObserveResponse(revision=2), observe)
        peer.deliver(queue.ObserveResponse(revision=3), observe)
        peer.respond(call, queue.CanMakePaymentsResponse(can_make_payments=True))
        peer.send(b"", observe, DATA, CLOSED | NO_DATA)

    with Peer(path, script), closing(Client(path, APPLICATION)) as client:
        batches = client.stream(QUEUE, "Observe", queue.ObserveRequest(), queue.ObserveResponse)
        assert next(batches).revision == 1
        assert can_pay(client).can_make_payments
        assert [batch.revision for batch in batches] == [2, 3]


def a_last_message_may_end_its_stream(path):
    def script(peer):
        peer.read()
        peer.deliver(queue.ObserveResponse(revision=1), flags=CLOSED)
        peer.wait_for_close()

    with Peer(path, script), closing(Client(path, APPLICATION)) as client:
        batches = client.stream(QUEUE, "Observe", queue.ObserveRequest(), queue.ObserveResponse)
        assert [batch.revision for batch in batches] == [1]


def a_stream_that_is_not_read_has_a_limit(path):
    def script(peer):
        stream, _ = peer.read()
        for revision in range(70):
            peer.deliver(queue.ObserveResponse(revision=revision), stream)
        peer.wait_for_close()

    with Peer(path, script), closing(Client(path, APPLICATION)) as client:
        batches = client.stream(QUEUE, "Observe", queue.ObserveRequest(), queue.ObserveResponse)
        next(batches)
        fails(Code.UNAVAILABLE, lambda: can_pay(client), "unread")


def an_error_of_a_call_leaves_the_connection_usable(path):
    def script(peer):
        stream, _ = peer.read()
        status = Status(code=Code.DEADLINE_EXCEEDED, message="Too late.")
        peer.send(Response(status=status).SerializeToString(), stream)
        stream, _ = peer.read()
        peer.respond(stream, queue.CanMakePaymentsResponse(can_make_payments=True))

    with Peer(path, script), closing(Client(path, APPLICATION)) as client:
        fails(Code.DEADLINE_EXCEEDED, lambda: can_pay(client), "Too late.")
        assert can_pay(client).can_make_payments


def a_request_that_is_longer_than_a_frame_is_not_sent(path):
    with Peer(path, lambda peer: peer.wait_for_close()), closing(Client(path, APPLICATION)) as client:
        request = queue.CancelRequest(call_id="x" * (4 << 20))
        call = partial(client.call, QUEUE, "Cancel", request, queue.CancelResponse)
        fails(Code.RESOURCE_EXHAUSTED, call, "does not fit")


# The tests of the daemon, in their order: the last one stops it.
DAEMON_TESTS = [
    the_products_are_those_of_the_catalogue,
    a_purchase_is_observed_from_purchasing_to_removed_while_another_stream_asks_for_consent,
    the_same_payment_twice_is_one_transaction,
    an_unknown_product_is_named,
    a_change_by_another_process_arrives,
    a_cancelled_stream_leaves_the_connection_usable,
    a_payment_survives_kills_of_the_daemon_and_is_charged_once,
    the_program_continues_after_a_kill_of_the_daemon,
    an_answer_that_is_lost_is_asked_for_again,
    the_books_have_one_charge_for_each_purchase,
]
PEER_TESTS = [
    a_peer_that_breaks_hello_is_an_error,
    a_peer_that_sends_nothing_is_an_error,
    a_long_answer_arrives_in_pieces,
    products_arrive_in_pages,
    frames_of_a_stream_that_arrive_during_a_call_are_kept_in_order,
    a_last_message_may_end_its_stream,
    a_stream_that_is_not_read_has_a_limit,
    an_error_of_a_call_leaves_the_connection_usable,
    a_request_that_is_longer_than_a_frame_is_not_sent,
]


def tests(daemon, directory):
    """The name of each test, and the test."""
    path = f"{directory}/peer.sock"
    for test in DAEMON_TESTS:
        yield test.__name__.replace("_", " "), partial(test, daemon)
    for test in PEER_TESTS:
        yield test.__name__.replace("_", " "), partial(test, path)
    for case, *script in BROKEN_PEERS:
        yield f"{case} is an error with a message", partial(a_broken_peer_is_an_error_with_a_message, path, *script)


def passes(name, test):
    signal.alarm(TEST_SECONDS)
    try:
        test()
    except Exception as error:  # Anything else than the expected error is a failure of the client, too.
        traceback.print_exc()
        print(f"FAILED {name}: {type(error).__name__}: {error}", flush=True)
        return False
    finally:
        signal.alarm(0)
    print(f"ok     {name}", flush=True)
    return True


def stop(number, _):
    if number == signal.SIGALRM:
        raise AssertionError(f"the test takes longer than {TEST_SECONDS} seconds")
    sys.exit(128 + number)


def main():
    programs, directory = sys.argv[1:]
    signal.signal(signal.SIGALRM, stop)
    signal.signal(signal.SIGTERM, stop)
    daemon = Daemon(programs, directory)
    try:
        daemon.start()
        results = [passes(name, test) for name, test in tests(daemon, directory)]
    finally:
        daemon.stop()
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
