package import ProcessTesting

/// A process ended by something else than the run that started it, or not in time.
package struct UnexpectedExit: Error {
    package var process: String
    package var exit: ChildProcess.Exit
    package var expected: ChildProcess.Exit

    /// Nil for an exit that was expected.
    package init?(_ process: ChildProcess, _ exit: ChildProcess.Exit, _ expected: ChildProcess.Exit) {
        guard exit != expected else {
            return nil
        }
        self.process = process.name
        self.exit = exit
        self.expected = expected
    }
}
