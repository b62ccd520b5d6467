package import ProcessTesting
package import TillInvariants

/// The findings of a run's checks, over all its parts.
package struct Findings: Sendable {
    /// The maximum number of kept messages of one invariant, and of other failures.
    static let keptMaximum = 10

    package private(set) var examined: [Invariant: Int] = [:]
    /// How often each invariant was found broken.
    package private(set) var broken: [Invariant: Int] = [:]
    /// Descriptions of the first violations, and of other failures.
    package private(set) var messages: [String] = []
    private var failures = 0

    package init() {}

    package var isClean: Bool {
        broken.isEmpty && failures == 0
    }

    /// Invariants that were never examined, although every store can break them.
    package var unexamined: [Invariant] {
        Invariant.allCases.filter { examined[$0, default: 0] == 0 && !Invariant.ofSpecialStores.contains($0) }
    }

    /// - Parameter part: The part of the run to which the verdict belongs.
    package mutating func add(_ verdict: Verdict, of part: String) {
        examined.merge(verdict.examined, uniquingKeysWith: +)
        for violation in verdict.violations {
            broken[violation.invariant, default: 0] += 1
            if broken[violation.invariant, default: 0] <= Self.keptMaximum {
                messages.append("\(part): \(violation)")
            }
        }
    }

    /// Notes a failure that does not belong to an invariant.
    package mutating func fail(_ message: String) {
        failures += 1
        if failures <= Self.keptMaximum {
            messages.append(message)
        }
    }

    package mutating func add(_ other: Findings) {
        examined.merge(other.examined, uniquingKeysWith: +)
        broken.merge(other.broken, uniquingKeysWith: +)
        failures += other.failures
        messages += other.messages
    }
}

extension Site {
    /// Keeps the directory if there are findings.
    package func keep(if findings: Findings) {
        if !findings.isClean {
            keep()
        }
    }
}
