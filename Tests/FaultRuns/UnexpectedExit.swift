package import ProcessTesting

/// An exit of a process that the run did not cause, or that came too late.
package struct UnexpectedExit: Error {
    package var process: String
    package var exit: ChildProcess.Exit
    package var expected: ChildProcess.Exit

    /// Returns nil for an expected exit.
    package init?(_ process: ChildProcess, _ exit: ChildProcess.Exit, _ expected: ChildProcess.Exit) {
        guard exit != expected else {
            return nil
        }
        self.process = process.name
        self.exit = exit
        self.expected = expected
    }
}
