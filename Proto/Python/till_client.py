"""A client of tilld. PROTOCOL.md in the folder above describes the frames, the methods and the rules."""

import socket
import struct
import time
from collections import deque
from enum import IntEnum
from typing import Iterator, TypeVar

from google.protobuf.message import DecodeError, Message
from till.v1 import payment_queue_pb2 as queue
from ttrpc.request_pb2 import Request, Response

QUEUE, PRODUCTS = "till.v1.PaymentQueue", "till.v1.Products"
HEADER = struct.Struct(">IIBB")  # length of the data, stream, type, flags
REQUEST, RESPONSE, DATA = 1, 2, 3
CLOSED, NO_DATA = 1, 4
FRAME_MAXIMUM = 4 << 20
UNREAD_MAXIMUM = 64
SEND_SECONDS = 10
Code = IntEnum(
    "Code",
    """OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED
    FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED""",
    start=0,
)
# After these, repeat the request with the same identity, on a new connection if this one is lost.
RETRYABLE = {Code.CANCELLED, Code.DEADLINE_EXCEEDED, Code.RESOURCE_EXHAUSTED, Code.UNAVAILABLE}
M = TypeVar("M", bound=Message)


class TillError(Exception):
    def __init__(self, code: int, message: str) -> None:
        name = Code(code).name if code in list(Code) else f"status {code}"
        super().__init__(f"{name}: {message}")
        self.code = code


class Client:
    """A connection to the daemon, for one thread. A connection that fails is closed: make another."""

    def __init__(self, path: str, application: str) -> None:
        self._frames: dict[int, deque[tuple[int, int, bytes]]] = {}  # the unread frames of each open stream
        self._next_stream = 1
        self._socket = socket.socket(socket.AF_UNIX)
        self._input = self._socket.makefile("rb")
        hello = queue.HelloRequest(protocol_minimum=1, protocol_maximum=1, application=application, client="python")
        try:
            self._socket.settimeout(SEND_SECONDS)
            self._socket.connect(path)
            self.hello = self.call(QUEUE, "Hello", hello, queue.HelloResponse)
        except OSError as error:
            self.close()
            code = Code.PERMISSION_DENIED if isinstance(error, PermissionError) else Code.UNAVAILABLE
            raise TillError(code, f"No daemon answers at {path} ({error}); start tilld, or name its socket.") from error
        except TillError:
            self.close()
            raise

    def close(self) -> None:
        self._input.close()
        self._socket.close()

    def call(self, service: str, method: str, request: Message, response_type: type[M], timeout: float = 10) -> M:
        """Calls a method with one answer. A call that fails with a code in RETRYABLE may have happened."""
        stream = self._send(service, method, request, timeout)
        # A second longer than the daemon's deadline, because its DEADLINE_EXCEEDED leaves the connection usable.
        kind, _, data = self._receive(stream, timeout + 1)
        del self._frames[stream]
        if kind != RESPONSE:
            raise TillError(Code.INTERNAL, f"The daemon answered {method} with a stream.")
        return parse_response(data, response_type)

    def stream(self, service: str, method: str, request: Message, response_type: type[M]) -> Iterator[M]:
        """Opens a stream when the first message is asked for. `Cancel` ends it, and so does closing the connection."""
        stream = self._send(service, method, request)
        flags = 0
        try:
            while not flags & CLOSED:
                kind, flags, data = self._receive(stream, self.hello.heartbeat_ms / 1000)
                if kind == RESPONSE:
                    parse_response(data, response_type)
                    return
                if not flags & NO_DATA:
                    yield parse(data, response_type)
        finally:
            del self._frames[stream]

    def changes(self, observer_id: int = 1, is_passive: bool = False) -> Iterator[queue.Event]:
        """Observes the queue. Asking for the next event says that the ones before it were handled."""
        request = queue.ObserveRequest(observer_id=observer_id, is_passive=is_passive)
        for batch in self.stream(QUEUE, "Observe", request, queue.ObserveResponse):
            yield from batch.events
            if batch.events:
                handled = queue.AcknowledgeRequest(observer_id=observer_id, revision=batch.revision)
                self.call(QUEUE, "Acknowledge", handled, queue.AcknowledgeResponse)

    def _send(self, service: str, method: str, request: Message, timeout: float = 0) -> int:
        """Sends a request on a new stream, and returns the stream. Without a timeout, the daemon's default applies."""
        envelope = Request(service=service, method=method, timeout_nano=int(timeout * 1e9))
        envelope.payload = request.SerializeToString()
        data = envelope.SerializeToString()
        if len(data) > FRAME_MAXIMUM:
            raise TillError(Code.RESOURCE_EXHAUSTED, f"A request of {len(data)} bytes does not fit into a frame.")
        stream = self._next_stream
        self._next_stream += 2
        try:
            self._socket.settimeout(SEND_SECONDS)
            self._socket.sendall(HEADER.pack(len(data), stream, REQUEST, CLOSED) + data)
        except OSError as error:
            raise self._lost(error) from error
        self._frames[stream] = deque()
        return stream

    def _receive(self, stream: int, seconds: float) -> tuple[int, int, bytes]:
        """Returns the next frame of a stream. Frames of other streams that arrive before it are kept for them."""
        deadline = time.monotonic() + seconds
        try:
            while not self._frames[stream]:
                self._socket.settimeout(max(0.001, deadline - time.monotonic()))
                length, number, kind, flags = HEADER.unpack(self._read(HEADER.size))
                if length > FRAME_MAXIMUM or kind not in (RESPONSE, DATA):
                    raise ConnectionError(f"a frame of {length} bytes and type {kind} arrived")
                # Frames of a stream that was left are dropped.
                frames = self._frames.get(number, deque())
                frames.append((kind, flags, self._read(length)))
                if len(frames) > UNREAD_MAXIMUM:
                    raise ConnectionError(f"more than {UNREAD_MAXIMUM} messages of a stream are unread")
        except (OSError, ValueError) as error:  # ValueError: the connection was closed before.
            raise self._lost(error) from error
        return self._frames[stream].popleft()

    def _read(self, count: int) -> bytes:
        data = self._input.read(count)
        if len(data) < count:
            raise ConnectionError("the daemon closed it")
        return data

    def _lost(self, error: Exception) -> TillError:
        self.close()
        return TillError(Code.UNAVAILABLE, f"The connection to the daemon is lost: {error}.")


def parse(data: bytes, message_type: type[M]) -> M:
    try:
        return message_type.FromString(data)
    except (DecodeError, ValueError) as error:
        raise TillError(Code.INTERNAL, f"The daemon's {message_type.DESCRIPTOR.name} cannot be read.") from error


def parse_response(data: bytes, response_type: type[M]) -> M:
    response = parse(data, Response)
    if response.status.code != Code.OK:
        raise TillError(response.status.code, response.status.message)
    return parse(response.payload, response_type)
