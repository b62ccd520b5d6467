import NIOConcurrencyHelpers
import TillModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes whole lines to a file descriptor, without a buffer.
package final class LineWriter: Sendable {
    private let descriptor: NIOLockedValueBox<CInt>

    package init(descriptor: CInt) {
        self.descriptor = NIOLockedValueBox(descriptor)
    }

    /// Writes the line and a line feed.
    ///
    /// - Throws: `CommandFailure` if the line cannot be written. If the reader closed the output, SIGPIPE ends the
    ///   process, as if its libraries did not ignore that signal.
    package func write(_ line: String) throws(CommandFailure) {
        try write(raw: line + "\n")
    }

    /// Writes the text without a line feed. It throws as ``write(_:)`` does.
    package func write(raw text: String) throws(CommandFailure) {
        let number = descriptor.withLockedValue { Self.write(Array(text.utf8), to: $0) }
        guard number != EPIPE else {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            throw CommandFailure(.done, nil)
        }
        guard number == 0 else {
            let reason = unsafe String(cString: strerror(number))
            throw CommandFailure(.outputFailed, "The output cannot be written: \(reason).")
        }
    }

    /// Whether the output still has a reader: false once the other end of a pipe is closed.
    package var hasReader: Bool {
        descriptor.withLockedValue { descriptor in
            var asked = pollfd(fd: descriptor, events: 0, revents: 0)
            return unsafe poll(&asked, 1, 0) < 1 || Int32(asked.revents) & POLLERR == 0
        }
    }

    /// Writes the bytes to any descriptor.
    ///
    /// - Returns: Zero, or the error's number.
    static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                retryingInterruptions { unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                waitForRoom(descriptor)
            } else {
                return errno
            }
        }
        return 0
    }

    /// Waits until the descriptor accepts bytes, because a process that shares it may have made it non-blocking.
    private static func waitForRoom(_ descriptor: CInt) {
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&waited, 1, -1)
    }
}
