import Foundation
import Testing
import TillModel

@testable import TillCatalogue

/// The page about the manifest matches the code.
struct ManifestDocumentationTests {
    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = "Sources/TillCatalogue/TillCatalogue.docc/ContentManifest.md"
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test
    func theExampleIsAManifest() throws {
        let block = try #require(try Self.page().components(separatedBy: "```json\n").dropFirst().first)
        let json = try #require(block.components(separatedBy: "```").first)
        let read = ManifestReader.read(Array(json.utf8), path: "/shop/Notes.content.json", for: nil)
        #expect(read.findings.diagnostics.isEmpty)
        #expect(read.contents["org.example.notes.themes"]?.count == 1)
    }

    @Test
    func everyKeyIsDescribed() throws {
        let page = try Self.page()
        for key in Fields.Kind.content.keys {
            #expect(page.contains("\n| `\(key)` | "), "\(key) is not described")
        }
        for key in Fields.Kind.manifest.keys {
            #expect(page.contains("`\(key)`"), "\(key) is not described")
        }
    }

    @Test(arguments: [
        "| pieces of one product | \(CatalogueLimits.contentsOfProduct) |",
        "| pieces in one manifest, and in a catalogue of several files | \(CatalogueLimits.contents) |",
        "| the size of a manifest | \(CatalogueLimits.fileBytes / 1024 / 1024) MiB |",
        "1 to \(CatalogueLimits.contentBytes) (1 TiB)",
        "It has at most \(CatalogueLimits.sourceBytes) bytes.",
        "1 to \(CatalogueLimits.versionNumbers) integers separated by periods",
        "each of at most \(CatalogueLimits.versionDigits) digits",
    ])
    func everyLimitIsStated(text: String) throws {
        #expect(try Self.page().contains(text))
    }
}
