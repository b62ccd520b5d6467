import Glibc
package import TillModel

/// Standard output, whose failed writes are errors.
package enum StandardOutput {
    /// Opens closed standard streams so that using them fails. Otherwise the next open file would get such a stream's
    /// descriptor, and output would be written into that file.
    package static func holdClosedStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes the line and a line feed.
    ///
    /// - Throws: `failedPrecondition` with the reason if the line cannot be written.
    package static func write(_ line: String) throws(TillError) {
        try write(line, to: STDOUT_FILENO)
    }

    static func write(_ line: String, to descriptor: CInt) throws(TillError) {
        var rest = Array("\(line)\n".utf8)
        while !rest.isEmpty {
            let count = retryingInterruptions { unsafe Glibc.write(descriptor, rest, rest.count) }
            guard count >= 0 else {
                throw .systemCall("The output cannot be written")
            }
            rest.removeFirst(count)
        }
    }
}
