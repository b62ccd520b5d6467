import Foundation
import Testing

/// The page of the promises has a row for each, which names tests and commands that exist.
@Suite struct TrustPageTests {
    @Test func everyPromiseNamesTestsAndCommandsThatExist() throws {
        let files = try Repository.files()
        let page = try #require(files.first { $0.path == TrustPage.path }?.text, "the page of the promises is gone")
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
    func aPromiseWithoutItsProofIsFound(line: String, fault: String?) throws {
        let row = try #require(TrustPage.rows(of: line).first)
        #expect(TrustPage.fault(of: row, tests: ["S/t"], targets: ["test"]) == fault)
    }
}
