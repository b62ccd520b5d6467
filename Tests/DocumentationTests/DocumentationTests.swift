import Foundation
import Testing
import TillModel

@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The longest example, in lines without imports.
    private static let linesMaximum = 14

    @Test(arguments: [
        ("README.md", "buy", ["TillClient"]),
        ("Sources/TillClient/TillClient.docc/TillClient.md", "buy", ["TillClient"]),
        ("Sources/TillClient/TillClient.docc/TillClient.md", "download", ["TillClient"]),
        ("Sources/TillModel/TillModel.docc/TillModel.md", "handle", ["TillModel"]),
        ("Sources/TTRPC/TTRPC.docc/TTRPC.md", "echo", ["Logging", "TTRPC"]),
    ])
    func aPageShowsTheExampleThatCompiles(page: String, function: String, imports: [String]) throws {
        let body = try Self.body(ofExample: function)
        let block = imports.map { "import \($0)\n" }.joined() + "\n" + body
        let blocks = try Self.text(page).components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.contains(block), "\(page) does not show the body of \(function)")
        #expect(body.split(separator: "\n").count <= Self.linesMaximum)
    }

    @Test func everyFailureReasonIsDescribed() throws {
        let page = try Self.text("Sources/TillClient/TillClient.docc/Failures.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }
        for reason in FailureReason.allCases where reason != .unspecified {
            #expect(rows.contains { $0.contains("| \(reason) |") }, "\(reason) is not described")
        }
    }

    @Test func everyDownloadErrorReasonIsDescribed() throws {
        let page = try Self.text("Sources/TillClient/TillClient.docc/Failures.md")
        let rows = page.split(separator: "\n")
        for reason in DownloadError.Reason.allCases {
            #expect(rows.contains { $0.hasPrefix("| \(reason) |") }, "\(reason) is not described")
        }
    }

    /// The body of a function in the file of the examples, without indentation.
    private static func body(ofExample function: String) throws -> String {
        let lines = try text("Tests/DocumentationTests/Examples.swift").components(separatedBy: "\n")
        let body = lines.drop { !$0.hasPrefix("func \(function)(") }.dropFirst().prefix { $0 != "}" }
        try #require(!body.isEmpty, "there is no example \(function)")
        return body.map { "\($0.dropFirst(4))\n" }.joined()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
