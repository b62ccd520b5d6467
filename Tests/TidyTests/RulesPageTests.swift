import Foundation
import Testing

/// The page of the rules of buying names tests that exist.
@Suite struct RulesPageTests {
    @Test func everyRuleNamesTestsThatExist() throws {
        let files = try Repository.files()
        let page = try #require(files.first { $0.path == RulesPage.path }?.text, "the page of the rules is gone")
        let rows = RulesPage.rows(of: page)
        let tests = RulesPage.tests(in: files)
        #expect(rows.count > 50)
        #expect(Set(rows.map(\.id)).count == rows.count, "an identifier stands twice")
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
    func aRuleWithoutItsTestIsFound(line: String, fault: String?) throws {
        let row = try #require(RulesPage.rows(of: line).first)
        #expect(RulesPage.fault(of: row, tests: ["S/t"]) == fault)
    }
}
