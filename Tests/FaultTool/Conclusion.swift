import ArgumentParser
import FaultRuns
import TillInvariants

/// How a run ends: with its figures, and with what was broken.
enum Conclusion {
    /// Prints all, and ends the program with status 1 unless everything held.
    ///
    /// - Parameter unexamined: Invariants that had to be put to the test and were not.
    static func print(_ figures: Figures, _ findings: Findings, unexamined: [Invariant]) throws {
        Swift.print(figures.table())
        findings.messages.forEach { Swift.print("BROKEN: \($0)") }
        guard findings.isClean else {
            throw ExitCode.failure
        }
        guard unexamined.isEmpty else {
            let names = unexamined.map(\.rawValue).joined(separator: ", ")
            Swift.print("NEVER PUT TO THE TEST: \(names)")
            throw ExitCode.failure
        }
    }
}
