import Foundation

/// The page that states the promises about faults, each with what puts it to the test and how far that went.
enum TrustPage {
    static let path = "Sources/TillEngine/TillEngine.docc/Trust.md"
    static let promises = (1...21).map { "P\($0)" }

    struct Row {
        var id: String
        var promise: String
        /// `Suite/test`, at least one.
        var tests: [String]
        /// Targets of the Makefile, at least one.
        var targets: [String]
        var reached: String
        var toReach: String
    }

    /// The rows of the table of promises.
    static func rows(of text: String) -> [Row] {
        text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 8, cells[1].contains(/^P[0-9]+$/) else {
                return nil
            }
            return Row(
                id: cells[1],
                promise: cells[2],
                tests: cells[3].matches(of: /`([^`]*)`/).map { String($0.output.1) },
                targets: cells[4].matches(of: /`make ([a-z-]+)/).map { String($0.output.1) },
                reached: cells[5],
                toReach: cells[6]
            )
        }
    }

    /// What is wrong with a row, given the tests and the targets that there are.
    static func fault(of row: Row, tests: Set<String>, targets: Set<String>) -> String? {
        if [row.promise, row.reached, row.toReach].contains("") {
            return "\(row.id) has an empty cell"
        }
        if row.tests.isEmpty || row.targets.isEmpty {
            return "\(row.id) names no test or no command"
        }
        let missing = row.tests.filter { !tests.contains($0) } + row.targets.filter { !targets.contains($0) }
        return missing.isEmpty ? nil : "\(row.id) names \(missing), which do not exist"
    }

    /// The targets of a Makefile.
    static func targets(of makefile: String) -> Set<String> {
        Set(makefile.matches(of: /(?m)^([a-z-]+):/).map { String($0.output.1) })
    }
}
