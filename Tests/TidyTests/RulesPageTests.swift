import Foundation
import Testing

/// The page of the rules of buying names tests that exist.
@Suite struct RulesPageTests {
    @Test func everyRuleNamesTestsThatExist() throws {
        let files = try Repository.files()
        let page = try #require(files.first { $0.path == RulesPage.path }?.text, "the page of the rules does not exist")
        let rows = RulesPage.rows(of: page)
        let tests = RulesPage.tests(in: files)
        #expect(rows.count > 50)
        #expect(Set(rows.map(\.id)).count == rows.count, "an identifier is duplicated")
        let faults = rows.compactMap { RulesPage.fault(of: $0, tests: tests) }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func everyRowOfThePageIsRead() throws {
        let page = try String(contentsOf: Repository.root.appending(path: RulesPage.path), encoding: .utf8)
        let lines = page.split(separator: "\n").filter {
            $0.hasPrefix("|") && !$0.hasPrefix("|-") && !$0.hasPrefix("| id ")
        }
        #expect(RulesPage.rows(of: page).count == lines.count, "a row has no identifier, or too few cells")
    }

    @Test(arguments: [
        ("| A1 | rule | source | `S/t` |", nil),
        ("| A1 | rule | source | `S/t` `S/u` |", "A1 names [\"S/u\"], which do not exist"),
        ("| A1 | rule | source | none |", "A1 names no test"),
        ("| A1 | | source | `S/t` |", "A1 has no rule or no source"),
        ("| A1 | rule | | `S/t` |", "A1 has no rule or no source"),
    ])
    func aRuleWithoutATestIsFound(line: String, fault: String?) throws {
        let row = try #require(RulesPage.rows(of: line).first)
        #expect(RulesPage.fault(of: row, tests: ["S/t"]) == fault)
    }
}

/// The page that states the rules of buying, each with the tests that enforce it.
enum RulesPage {
    static let path = "Sources/TillEngine/TillEngine.docc/Rules.md"

    struct Row {
        var id: String
        var rule: String
        var source: String
        /// `Suite/test`, at least one.
        var tests: [String]
    }

    /// The rows of the page's tables, without headings and rulers.
    static func rows(of text: String) -> [Row] {
        text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 6, cells[1].contains(/^[A-Z]+[0-9]+$/) else {
                return nil
            }
            let tests = cells[4].matches(of: /`([^`]*)`/).map { String($0.output.1) }
            return Row(id: cells[1], rule: cells[2], source: cells[3], tests: tests)
        }
    }

    /// The fault of a row, given the existing tests.
    static func fault(of row: Row, tests: Set<String>) -> String? {
        if row.rule.isEmpty || row.source.isEmpty {
            return "\(row.id) has no rule or no source"
        }
        if row.tests.isEmpty {
            return "\(row.id) names no test"
        }
        let missing = row.tests.filter { !tests.contains($0) }
        return missing.isEmpty ? nil : "\(row.id) names \(missing), which do not exist"
    }

    /// Every test function of the project as `Suite/test`.
    static func tests(in files: [SourceFile]) -> Set<String> {
        // Created once: each use of a literal parses it again.
        let (types, tests, functions) = (
            /\b(?:struct|extension|enum|class)\s+(\w+)/, /^\s*@Test\b/, /\bfunc\s+(\w+)/
        )
        var found: Set<String> = []
        for file in files where file.path.hasPrefix("Tests/") && file.path.hasSuffix(".swift") {
            var suite = ""
            var isTest = false
            for line in file.text.split(separator: "\n") {
                if let type = line.firstMatch(of: types) {
                    suite = line.hasPrefix(" ") ? suite : String(type.output.1)
                }
                isTest = isTest || line.contains(tests)
                if isTest, let function = line.firstMatch(of: functions) {
                    found.insert("\(suite)/\(function.output.1)")
                    isTest = false
                }
            }
        }
        return found
    }
}
