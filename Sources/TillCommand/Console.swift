/// What a command needs of the process that it runs in.
package struct Console: Sendable {
    package var environment: [String: String]
    /// Writes a line to the standard output, at once.
    package var print: @Sendable (String) throws -> Void
    /// Writes a line to the standard error.
    package var complain: @Sendable (String) -> Void
    /// Returns when the user wants the command to end.
    package var waitForInterruption: @Sendable () async -> Void

    package init(
        environment: [String: String],
        print: @escaping @Sendable (String) throws -> Void,
        complain: @escaping @Sendable (String) -> Void,
        waitForInterruption: @escaping @Sendable () async -> Void
    ) {
        self.environment = environment
        self.print = print
        self.complain = complain
        self.waitForInterruption = waitForInterruption
    }

    /// Says something to people, beside the output.
    func notice(_ message: String) {
        complain("till: \(message.printable)")
    }

    /// Prints one object in a line: as JSON, or as text.
    func print(_ line: some OutputLine, asJSON: Bool) throws {
        try print(asJSON ? line.json() : line.text.printable)
    }
}
