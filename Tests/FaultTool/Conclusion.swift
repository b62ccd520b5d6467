import ArgumentParser
import FaultRuns
import TillInvariants

/// Prints a run's figures and violations at its end.
enum Conclusion {
    /// Prints everything, and ends the program with status 1 if a check failed.
    ///
    /// - Parameter unexamined: Invariants that had to be examined and were not.
    static func print(_ figures: Figures, _ findings: Findings, unexamined: [Invariant]) throws {
        Swift.print(figures.table())
        findings.messages.forEach { Swift.print("BROKEN: \($0)") }
        guard findings.isClean else {
            throw ExitCode.failure
        }
        guard unexamined.isEmpty else {
            let names = unexamined.map(\.rawValue).joined(separator: ", ")
            Swift.print("NEVER EXAMINED: \(names)")
            throw ExitCode.failure
        }
    }
}
