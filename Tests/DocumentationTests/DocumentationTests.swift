import Foundation
import Testing
import TillModel

@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The longest example, in lines without imports.
    private static let linesMaximum = 14

    @Test(arguments: [
        ("README.md", "Example"),
        ("Sources/TillClient/TillClient.docc/TillClient.md", "Example"),
        ("Sources/TillClient/TillClient.docc/TillClient.md", "DownloadExample"),
        ("Sources/TillModel/TillModel.docc/TillModel.md", "ModelExample"),
        ("Sources/TTRPC/TTRPC.docc/TTRPC.md", "EchoExample"),
    ])
    func aPageShowsTheExampleThatCompiles(page: String, example: String) throws {
        let (imports, body) = try Self.example(example)
        let blocks = try Self.text(page).components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.contains(imports + "\n" + body), "\(page) does not show \(example).swift")
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

    /// The imports of an example's file, and the body of its function without indentation.
    private static func example(_ name: String) throws -> (imports: String, body: String) {
        let lines = try text("Tests/DocumentationTests/\(name).swift").components(separatedBy: "\n")
        let imports = lines.filter { $0.hasPrefix("import ") }
        let body = lines.filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
        return (imports.joined(separator: "\n") + "\n", body.joined(separator: "\n") + "\n")
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
