import Foundation
import Testing

/// The page of errors has every text that people can meet.
@Suite struct ErrorsPageTests {
    /// A shorter part could be found anywhere.
    private static let lengthMinimum = 10

    /// Sources whose errors are not on the page, and why.
    private static let exempt: [String: String] = [
        "Sources/TTRPC/": "violations of the protocol, which only a broken peer sees",
        "Sources/TillWire/": "the same",
        "Sources/TillSQLite/SQLiteLedger.swift": "faults of the daemon itself",
        "Sources/TillSQLite/Statements/":
            "rows that contradict each other, which the page explains as damage of the ledger",
        "Sources/TillPostgres/PostgresLedger.swift": "faults of the daemon itself",
        "Sources/TillSQL/Records/": "the same as those of TillSQLite's statements",
        "Sources/TillSQL/Statements/": "the same",
        "Sources/TillSQL/Tables/": "the same",
        "Sources/till-example/": "an example's own errors",
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func thePageHasEveryErrorText() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "Documentation/Till.docc/Errors.md"),
            encoding: .utf8
        ).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var count = 0
        for (path, source) in try Self.sources() {
            for (line, part) in ErrorTexts(source: source).parts {
                let text = part.trimmingCharacters(in: .whitespaces.union(.punctuationCharacters))
                guard text.count >= Self.lengthMinimum, text.contains(" ") else {
                    continue
                }
                count += 1
                #expect(page.contains(text), "\(path):\(line): the page of errors lacks \"\(part)\"")
            }
        }
        #expect(count > 400, "the texts of errors are not found any more")
    }

    @Test func textsAreFoundInArgumentsOfErrors() {
        let source = #"""
            // TillError("a comment")
            print("no error")
            throw TillError(.internal, "The \(name("x")) is gone: \(a(b("(")))." + more(text: "Look for it."))
            throw CommandFailure(
                .usage,
                """
                One line \
                continues.
                """
            )
            """#
        let parts = ErrorTexts(source: source).parts.map { "\($0.line): \($0.text)" }
        #expect(parts == ["3: The", "3: is gone:", "3: .", "3: Look for it.", "6: One line continues."])
    }

    private static func sources() throws -> [(path: String, text: String)] {
        let folder = root.appending(path: "Sources")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") }.sorted().map { "Sources/\($0)" }
            .filter { path in !exempt.keys.contains { path.hasPrefix($0) } }
            .map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
    }
}
