"""Passes connections to PORT of 127.0.0.1 on to the Unix socket SOCKET. Usage: relay.py PORT SOCKET"""

import contextlib
import socket
import socketserver
import sys
import threading

PORT, SOCKET = int(sys.argv[1]), sys.argv[2]


def copy(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class Relay(socketserver.BaseRequestHandler):
    def handle(self):
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(SOCKET)
            back = threading.Thread(target=copy, args=(other, self.request))
            back.start()
            copy(self.request, other)
            back.join()


socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer.daemon_threads = True
with socketserver.ThreadingTCPServer(("127.0.0.1", PORT), Relay) as server:
    server.serve_forever()
