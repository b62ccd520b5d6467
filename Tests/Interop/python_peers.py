"""The peers of the client in Proto/Python: a real daemon, one that breaks the protocol, and one that loses an answer."""

import os
import pathlib
import socket
import subprocess
import threading
import time

from till.v1.payment_queue_pb2 import HelloResponse
from till_client import DATA, HEADER, RESPONSE
from ttrpc.request_pb2 import Request, Response

SECONDS = 20
CATALOGUE = "Sources/till-example/Notes.storekit"


class Daemon:
    """A daemon of its own. Unless it has other options, payments wait until they are approved, so that each state can be seen."""

    def __init__(self, programs, directory, options=("--setting", "authorization=wait")):
        self.programs = pathlib.Path(programs)
        self._options = options
        self.socket = os.environ["TILL_SOCKET"]
        self._state = f"{directory}/state"
        self._pid = pathlib.Path(directory, "daemon.pid")
        self._process = None

    def start(self):
        self._process = subprocess.Popen(
            [self.programs / "tilld", "--catalogue", CATALOGUE, "--state", self._state, "--socket", self.socket]
            + ["--log-level", "error", *self._options]
        )
        self._pid.write_text(str(self._process.pid))
        self._wait_until_it_serves()

    def _wait_until_it_serves(self):
        end = time.monotonic() + SECONDS
        while self.till("status", check=False).returncode:
            assert self._process.poll() is None and time.monotonic() < end, "the daemon does not serve"
            time.sleep(0.02)

    def kill(self):
        self._end(self._process.kill)

    def stop(self):
        if self._process:
            self._end(self._process.terminate)

    def _end(self, signal):
        signal()
        self._process.wait(SECONDS)
        self._process = None
        self._pid.unlink()

    def till(self, *words, check=True):
        return self._run("till", *words, check=check)

    def reconcile(self):
        """Compares the books of the stopped daemon; returns a JSON object for each charge, one a line."""
        return self._run("tilld", "reconcile", "--state", self._state, "--json").stdout

    def _run(self, program, *words, check=True):
        command = [self.programs / program, *words]
        return subprocess.run(command, check=check, capture_output=True, text=True, timeout=SECONDS)


class Peer:
    """A server that answers Hello, and then does what a script says: a function of this peer."""

    def __init__(self, path, script, answers_hello=True, heartbeat_ms=45000):
        self.path = path
        self._script, self._answers_hello, self._heartbeat_ms = script, answers_hello, heartbeat_ms
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen()
        self._listener.settimeout(SECONDS)
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._thread.join(SECONDS)
        self._listener.close()
        os.unlink(self.path)
        assert not self._thread.is_alive(), "the peer still waits for the client"

    def _serve(self):
        self.connection, _ = self._listener.accept()
        self.connection.settimeout(SECONDS)
        try:
            if self._answers_hello:
                self.respond(self.read()[0], HelloResponse(protocol=1, heartbeat_ms=self._heartbeat_ms))
            self._script(self)
        except OSError:
            pass  # The client has closed the connection.
        finally:
            self.connection.close()

    def read(self):
        """Reads a frame: its stream and its data."""
        _, stream, _, _, data = read_frame(self.connection)
        return stream, data

    def send(self, data, stream=3, kind=RESPONSE, flags=0):
        self.connection.sendall(HEADER.pack(len(data), stream, kind, flags) + data)

    def respond(self, stream, message):
        self.send(Response(payload=message.SerializeToString()).SerializeToString(), stream)

    def deliver(self, message, stream=3, flags=0):
        self.send(message.SerializeToString(), stream, DATA, flags)

    def wait_for_close(self):
        while self.connection.recv(1 << 16):
            pass


class Cut:
    """A server that passes everything to the daemon and back, but loses the answer to a method with the connection."""

    def __init__(self, path, daemon, method, then):
        """`then` runs when the daemon has answered, and before the client can notice the loss."""
        self._daemon, self._method, self._then = daemon, method, then
        self._stream = None
        self.peer = Peer(path, self._pass, answers_hello=False)

    def _pass(self, peer):
        with socket.socket(socket.AF_UNIX) as upstream:
            upstream.settimeout(SECONDS)
            upstream.connect(self._daemon)
            requests = threading.Thread(target=self._pass_requests, args=(peer.connection, upstream))
            requests.start()
            while (frame := read_frame(upstream))[1:3] != (self._stream, RESPONSE):
                write_frame(peer.connection, frame)
            self._then()
            peer.connection.shutdown(socket.SHUT_RDWR)
            requests.join(SECONDS)

    def _pass_requests(self, downstream, upstream):
        try:
            while True:
                frame = read_frame(downstream)
                if Request.FromString(frame[4]).method == self._method:
                    self._stream = frame[1]
                write_frame(upstream, frame)
        except OSError:
            pass  # The connection was cut.


def read_frame(connection):
    """Reads the length, the stream, the type, the flags and the data."""
    header = HEADER.unpack(read(connection, HEADER.size))
    return *header, read(connection, header[0])


def write_frame(connection, frame):
    connection.sendall(HEADER.pack(*frame[:4]) + frame[4])


def read(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data
