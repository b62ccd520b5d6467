import ArgumentParser
import FaultRuns
import TillInvariants

/// How a run ends: with its figures, and with what was broken.
enum Conclusion {
    /// Prints all, and ends the program with status 1 unless everything held.
    static func print(_ figures: Figures, _ findings: Findings) throws {
        Swift.print(figures.table())
        findings.messages.forEach { Swift.print("BROKEN: \($0)") }
        guard findings.isClean else {
            throw ExitCode.failure
        }
        guard findings.unexamined.isEmpty else {
            let names = findings.unexamined.map(\.rawValue).joined(separator: ", ")
            Swift.print("NEVER PUT TO THE TEST: \(names)")
            throw ExitCode.failure
        }
    }
}
