import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads lines that a person types at a terminal.
package struct TerminalInput: Sendable {
    /// The interval between checks for a typed line.
    private static let interval = Duration.milliseconds(50)

    private let descriptor: CInt

    /// - Returns: Nil if the descriptor is not a terminal.
    package init?(descriptor: CInt) {
        guard isatty(descriptor) == 1 else {
            return nil
        }
        self.descriptor = descriptor
    }

    /// Reads the next line that the user types. It is nil at the end of the input, and when the task is cancelled.
    package func readLine() async -> String? {
        // Earlier input, even without Enter, does not answer the current question.
        tcflush(descriptor, TCIFLUSH)
        while !Task.isCancelled {
            if hasLine {
                let line = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).availableData
                return line.isEmpty ? nil : String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
            }
            try? await Task.sleep(for: Self.interval)
        }
        return nil
    }

    /// Whether a line can be read: a terminal delivers its input line by line.
    private var hasLine: Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&asked, 1, 0) > 0
    }
}
