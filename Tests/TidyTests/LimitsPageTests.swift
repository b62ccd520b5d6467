import Foundation
import Testing

/// The page of the limits names suites and tests that exist.
@Suite struct LimitsPageTests {
    private static let path = "Sources/TTRPC/TTRPC.docc/Limits.md"

    @Test func everyLimitNamesTestsThatExist() throws {
        let files = try Repository.files()
        let page = try #require(files.first { $0.path == Self.path }?.text, "the page of the limits is gone")
        let tests = RulesPage.tests(in: files)
        let suites = Set(tests.compactMap { $0.split(separator: "/").first.map(String.init) })
        let named = page.matches(of: /`(\w+Tests(?:\/\w+)?)`/).map { String($0.output.1) }
        #expect(named.count > 20)
        let missing = named.filter { !tests.contains($0) && !suites.contains($0) && $0 != "TidyTests" }
        #expect(missing.isEmpty, "\(missing) do not exist")
    }
}
