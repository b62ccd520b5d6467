import TillInvariants

/// The results of a run, each a name and a value on a line.
package struct Figures: Sendable {
    private var rows: [(name: String, value: String)] = []

    package init() {}

    package mutating func add(_ name: String, _ value: some CustomStringConvertible) {
        rows.append((name, value.description))
    }

    /// Adds one row for each key.
    package mutating func add(_ name: String, _ counts: [String: Int]) {
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
            add("\(name): \(key)", count)
        }
    }

    package mutating func add(_ findings: Findings) {
        for invariant in Invariant.allCases {
            let broken = findings.broken[invariant].map { ", BROKEN \($0)" } ?? ""
            add("examined: \(invariant.rawValue)", "\(findings.examined[invariant, default: 0])\(broken)")
        }
    }

    package func table() -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            row.name + String(repeating: " ", count: width - row.name.count + 2) + row.value
        }
        .joined(separator: "\n")
    }
}
