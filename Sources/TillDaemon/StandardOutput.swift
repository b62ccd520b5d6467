import Glibc
package import TillModel

/// What a command prints, which is not lost without an error.
package enum StandardOutput {
    /// Has what is closed of the standard streams fail what uses it; else the next file that is opened would take its
    /// place, and be written into.
    package static func holdClosedStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes the line and a line feed.
    ///
    /// - Throws: `failedPrecondition` that says why it cannot be written.
    package static func write(_ line: String) throws(TillError) {
        var rest = Array("\(line)\n".utf8)
        while !rest.isEmpty {
            let count = retryingInterruptions { unsafe Glibc.write(STDOUT_FILENO, rest, rest.count) }
            guard count >= 0 else {
                throw .systemCall("The output cannot be written")
            }
            rest.removeFirst(count)
        }
    }
}
