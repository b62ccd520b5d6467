import Foundation
import Testing
import TillModel

@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: ["README.md", "Sources/TillClient/TillClient.docc/TillClient.md"])
    func theExampleIsTheOneThatCompiles(document: String) throws {
        let text = try Self.text(document)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let block = try #require(blocks.first { $0.contains("PaymentQueue(application:") })
        let example = try Self.example()
        #expect(block == "import TillClient\n\n" + example)
        #expect(example.split(separator: "\n").count == 9)
    }

    @Test func everyReasonOfAFailureIsDescribed() throws {
        let page = try Self.text("Sources/TillClient/TillClient.docc/Failures.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }
        for reason in FailureReason.allCases where reason != .unspecified {
            #expect(rows.contains { $0.contains("| \(reason) |") }, "\(reason) is not described")
        }
    }

    @Test func everyReasonOfAFailedDownloadIsDescribed() throws {
        let page = try Self.text("Sources/TillClient/TillClient.docc/Failures.md")
        let rows = page.split(separator: "\n")
        for reason in DownloadError.Reason.allCases {
            #expect(rows.contains { $0.hasPrefix("| \(reason) |") }, "\(reason) is not described")
        }
    }

    /// The body of `example`, without its indentation.
    private static func example() throws -> String {
        let lines = try text("Tests/DocumentationTests/Example.swift").components(separatedBy: "\n")
        let body = lines.filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
        return body.joined(separator: "\n") + "\n"
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
