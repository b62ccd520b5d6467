import Foundation
import Testing

/// The page has a row for each promise, which names tests and commands that exist.
@Suite struct TrustPageTests {
    @Test func everyPromiseNamesTestsAndCommandsThatExist() throws {
        let files = try Repository.files()
        let page = try #require(files.first { $0.path == TrustPage.path }?.text, "there is no such page")
        let makefile = try String(contentsOf: Repository.root.appending(path: "Makefile"), encoding: .utf8)
        let rows = TrustPage.rows(of: page)
        #expect(rows.map(\.id) == TrustPage.promises)
        let tests = RulesPage.tests(in: files)
        let targets = TrustPage.targets(of: makefile)
        let faults = rows.compactMap { TrustPage.fault(of: $0, tests: tests, targets: targets) }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test(arguments: [
        ("| P1 | promise | `S/t` | `make test` | 1 | 2 |", nil),
        ("| P1 | promise | `S/u` | `make test` | 1 | 2 |", "P1 names [\"S/u\"], which do not exist"),
        ("| P1 | promise | `S/t` | `make tea` | 1 | 2 |", "P1 names [\"tea\"], which do not exist"),
        ("| P1 | promise | by hand | `make test` | 1 | 2 |", "P1 names no test or no command"),
        ("| P1 | promise | `S/t` | by hand | 1 | 2 |", "P1 names no test or no command"),
        ("| P1 | promise | `S/t` | `make test` | | 2 |", "P1 has an empty cell"),
        ("| P1 | promise | `S/t` | `make test N=1` | 1 | |", "P1 has an empty cell"),
    ])
    func aPromiseWithoutAProofIsFound(line: String, fault: String?) throws {
        let row = try #require(TrustPage.rows(of: line).first)
        #expect(TrustPage.fault(of: row, tests: ["S/t"], targets: ["test"]) == fault)
    }
}

/// The page that states the promises about faults, each with its tests and their extent.
enum TrustPage {
    static let path = "Sources/TillEngine/TillEngine.docc/Trust.md"
    static let promises = (1...25).map { "P\($0)" }

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

    /// The fault of a row, given the existing tests and targets.
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
