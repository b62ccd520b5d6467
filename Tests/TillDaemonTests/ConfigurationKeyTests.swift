import Foundation
import Testing
import TillModel
@testable import TillDaemon

/// The table of configuration keys, and what is made from it.
@Suite struct ConfigurationKeyTests {
    @Test func namesAreUniqueAndInLowerCase() {
        let names = ConfigurationKey.all.map(\.name)
        #expect(names.count > 10)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /((console|simulated|stripe)\.)?[a-z]+(-[a-z]+)*/) != nil })
        #expect(ConfigurationKey.simulatedKeys.allSatisfy { $0.name.hasPrefix("simulated.") })
        #expect(ConfigurationKey.daemonKeys.allSatisfy { !$0.name.hasPrefix("simulated.") })
        #expect(ConfigurationKey.daemonKeys.count + ConfigurationKey.simulatedKeys.count == names.count)
    }

    @Test(arguments: ConfigurationKey.all)
    func aSummaryIsASentenceOfAtMostTenWords(_ key: ConfigurationKey) {
        #expect(key.help.split(separator: " ").count <= 10, "\(key.help)")
        #expect(key.help.hasSuffix("."))
        #expect(key.details.isEmpty || key.details.hasSuffix("."))
    }

    @Test(arguments: ConfigurationKey.all)
    func anIntegerIsValidOnlyWithinItsRange(_ key: ConfigurationKey) throws {
        guard case .integer(let range) = key.kind else {
            return
        }
        let (low, high) = (range.bounds.lowerBound, range.bounds.upperBound)
        for value in [low, high] + (range.allowsZero ? [0] : []) {
            #expect(throws: Never.self) { try Self.configuration(key, "\(value)") }
        }
        let outside = (range.contains(low - 1) ? [] : [low - 1]) + (high == .max ? [] : [high + 1])
        for text in outside.map(String.init) + ["", "x", "1.5", " 1"] {
            let error = #expect(throws: TillError.self, "\(text)") { try Self.configuration(key, text) }
            let shown = text.isEmpty ? "''" : text
            #expect(error?.message == "Invalid \(key.name) \(shown): use \(range.text).")
        }
    }

    @Test(arguments: ConfigurationKey.all)
    func aDefaultThatIsANumberIsAValidValue(_ key: ConfigurationKey) throws {
        if case .integer = key.kind, let text = key.defaultText, Int(text) != nil {
            #expect(throws: Never.self) { try Self.configuration(key, text) }
        }
    }

    @Test func anErrorNamesTheKeyTheValueAndTheRange() {
        let error = #expect(throws: TillError.self) { try Self.configuration(name: "approval-deadline", "0") }
        #expect(error?.message == "Invalid approval-deadline 0: use 1 to 31536000 seconds.")
        let bandwidth = #expect(throws: TillError.self) { try Self.configuration(name: "content-bandwidth", "7") }
        #expect(
            bandwidth?.message
                == "Invalid content-bandwidth 7: use 65536 to 1099511627776 bytes per second, or 0 for no limit."
        )
    }

    /// With `TILL_WRITE_PAGES` in the environment (`make pages`), the pages are written instead.
    @Test(arguments: [ConfigurationPage.manual, .documentation])
    func thePagesHaveEveryKeyAsTheTableDescribesIt(_ page: ConfigurationPage) throws {
        let text = try String(contentsOf: page.url, encoding: .utf8)
        let updated = try #require(page.updated(text), "\(page.file) lacks a line around the keys")
        if ProcessInfo.processInfo.environment["TILL_WRITE_PAGES"] != nil {
            try Data(updated.utf8).write(to: page.url)
        } else {
            #expect(text == updated, "run make pages")
        }
    }

    private static func configuration(_ key: ConfigurationKey, _ text: String) throws -> DaemonConfiguration {
        try configuration(name: key.name, text)
    }

    private static func configuration(name: String, _ text: String) throws -> DaemonConfiguration {
        try DaemonConfiguration(
            options: ["catalogue": ["a"], "state": ["/state"], "socket": ["/socket"], name: [text]],
            environment: [:],
            file: nil,
            isRoot: false
        )
    }
}

extension ConfigurationKey: CustomTestStringConvertible {
    package var testDescription: String { name }
}
