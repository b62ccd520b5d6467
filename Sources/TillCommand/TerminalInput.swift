import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads lines that a person types at a terminal.
package struct TerminalInput: Sendable {
    /// How long a typed line may wait to be noticed.
    private static let interval = Duration.milliseconds(50)

    private let descriptor: CInt

    /// - Returns: Nil when the descriptor is no terminal.
    package init?(descriptor: CInt) {
        guard isatty(descriptor) == 1 else {
            return nil
        }
        self.descriptor = descriptor
    }

    /// A line that is typed from now on; nil at the end of the input, and when the task is cancelled.
    package func readLine() async -> String? {
        // What was typed before, also without Enter, was not an answer to what is asked now.
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

    /// A terminal hands its input over line by line.
    private var hasLine: Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&asked, 1, 0) > 0
    }
}
