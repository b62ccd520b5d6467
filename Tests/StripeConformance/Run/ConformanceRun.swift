package import TillModel
package import TillOutput

/// Runs checks one after another, and reports each.
package struct ConformanceRun: Sendable {
    /// What is printed.
    package enum Event: Sendable {
        case start(Check)
        case end(Check, [Difference])
    }

    /// The figures of a run that has ended or was interrupted.
    package struct Summary: Hashable, Sendable {
        package var chosen: Int
        package var done = 0
        package var differing = 0

        package init(chosen: Int, done: Int = 0, differing: Int = 0) {
            self.chosen = chosen
            self.done = done
            self.differing = differing
        }

        package var isComplete: Bool { done == chosen }
    }

    package var checks: [Check]

    /// - Parameter names: Those of the checks; empty for all.
    /// - Throws: `invalidArgument` for a name that no check has.
    package init(named names: [String] = []) throws(TillError) {
        let unknown = names.filter { name in !Check.all.contains { $0.name == name } }
        guard unknown.isEmpty else {
            throw TillError(.invalidArgument, "There is no check \(unknown[0]): use the names that --list prints.")
        }
        checks = names.isEmpty ? Check.all : Check.all.filter { names.contains($0.name) }
    }

    /// Runs the checks until the task is cancelled.
    package func run(at account: ConformanceAccount, _ report: (Event) -> Void) async -> Summary {
        var summary = Summary(chosen: checks.count)
        for check in checks where !Task.isCancelled {
            report(.start(check))
            guard let differences = try? await check.differences(at: account) else {
                break
            }
            summary.done += 1
            summary.differing += differences.isEmpty ? 0 : 1
            report(.end(check, differences))
        }
        return summary
    }
}

/// The result of a check.
package struct CheckLine: Output {
    private let check: Check
    private let differences: [Difference]

    package init(_ check: Check, _ differences: [Difference]) {
        self.check = check
        self.differences = differences
    }

    package var lines: [String] {
        guard !differences.isEmpty else {
            return ["ok       \(check.name)"]
        }
        return ["differs  \(check.name): \(check.sentence)"]
            + differences.map { "         \($0.what): expected \($0.expected), got \($0.got)" }
    }

    package var json: JSONObject {
        [
            "check": check.name, "sentence": check.sentence, "result": differences.isEmpty ? "ok" : "differs",
            "differences": differences.map { difference -> JSONObject in
                ["what": difference.what, "expected": difference.expected, "got": difference.got]
            },
        ]
    }
}

/// The last line.
package struct SummaryLine: OutputLine {
    private let summary: ConformanceRun.Summary

    package init(_ summary: ConformanceRun.Summary) {
        self.summary = summary
    }

    package var text: String {
        let part =
            summary.isComplete ? "\(summary.done) checks" : "Interrupted: \(summary.done) of \(summary.chosen) checks"
        let result =
            switch summary.differing {
            case 0: "nothing differs"
            case 1: "1 differs"
            case let count: "\(count) differ"
            }
        return "\(part): \(result) from the stand-in."
    }

    package var json: JSONObject {
        [
            "checks": summary.done, "differing": summary.differing, "complete": summary.isComplete,
            "not_covered": Check.notCovered,
        ]
    }
}
