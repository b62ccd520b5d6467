import Foundation
import Testing
import TillModel

import TillOutput
@testable import TillCommand

@Suite struct CatalogueCheckTests {
    @Test func aValidFileIsSummarised() async throws {
        try await inFile(Self.file(price: "0.99")) { path in
            let console = TestConsole()
            #expect(await Till.run(["catalogue", "check", path], console.console) == .done)
            #expect(console.output.values.last == "1 file: 1 product (1 consumable), 0 errors, 0 warnings")
            #expect(console.complaints.values.isEmpty)
        }
    }

    @Test func anErrorNamesItsFileAndProduct() async throws {
        try await inFile(Self.file(price: "cheap")) { path in
            let console = TestConsole()
            #expect(await Till.run(["catalogue", "check", path], console.console) == .badData)
            #expect(console.output.values.first?.hasPrefix("error: \(path): coins: ") == true)
            #expect(console.output.values.last?.contains("1 error,") == true)
            #expect(console.complaints.values.isEmpty)
        }
    }

    @Test func theJSONHasOneObjectForEachFindingAndTheSummary() async {
        let console = TestConsole()
        let status = await Till.run(["catalogue", "check", "--json", "/nonexistent/a.storekit"], console.console)
        #expect(status == .badData)
        #expect(
            console.output.values == [
                """
                {"file":"/nonexistent/a.storekit","message":"the file cannot be opened: No such file or directory",\
                "severity":"error"}
                """,
                """
                {"contents":0,"errors":1,"files":1,"products":{"auto_renewable_subscription":0,"consumable":0,"non_consumable":0,\
                "non_renewing_subscription":0},"warnings":0}
                """,
            ]
        )
    }

    @Test func piecesOfContentAreCountedAndCompared() async throws {
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try await inFile(Self.file(price: "0.99")) { path in
            let stem = path.dropLast(".storekit".count)
            let content = "\(stem).content"
            let manifest = "\(stem).content.json"
            defer { [content, manifest].forEach { try? FileManager.default.removeItem(atPath: $0) } }
            try Data("abc".utf8).write(to: URL(filePath: content))
            try Data(Self.manifest(length: 3, sha256: sum, content).utf8).write(to: URL(filePath: manifest))
            let good = TestConsole()
            #expect(await Till.run(["catalogue", "check", "--content", path], good.console) == .done)
            let counts = "2 files: 1 product (1 consumable), 1 piece of content, 0 errors, 1 warning"
            #expect(good.output.values.last == counts)

            try Data(Self.manifest(length: 4, sha256: sum, content).utf8).write(to: URL(filePath: manifest))
            let unread = TestConsole()
            #expect(await Till.run(["catalogue", "check", path], unread.console) == .done)
            let compared = TestConsole()
            #expect(await Till.run(["catalogue", "check", path, "--content"], compared.console) == .badData)
            let error = "error: \(manifest): coins: [0].length is 4, but '\(content)' has 3 bytes"
            #expect(compared.output.values.contains(error))
            #expect(compared.output.values.last?.hasSuffix(", 1 error, 1 warning") == true)
        }
    }

    @Test func aBarIsShownOnlyForLargeContent() async throws {
        for bytes in [CatalogueCheckVerb.barBytes - 1, CatalogueCheckVerb.barBytes] {
            try await inFile(Self.file(price: "0.99")) { path in
                let manifest = "\(path.dropLast(".storekit".count)).content.json"
                defer { try? FileManager.default.removeItem(atPath: manifest) }
                let text = Self.manifest(length: bytes, sha256: String(repeating: "0", count: 64), "/nonexistent/a")
                try Data(text.utf8).write(to: URL(filePath: manifest))
                let shown = TestConsole.Lines()
                let console = TestConsole()
                var terminal = console.console
                terminal.show = { shown.append($0) }
                #expect(await Till.run(["catalogue", "check", path, "--content"], terminal) == .badData)
                let texts = shown.values
                #expect(texts.isEmpty == (bytes < CatalogueCheckVerb.barBytes))
                #expect(texts.isEmpty || texts.contains { $0.hasSuffix("] 64 of 64 MiB") })
            }
        }
    }

    @Test(arguments: [
        (0, 0, "1 file: 0 products, 0 errors, 0 warnings"),
        (1, 1, "1 file: 1 product (1 consumable), 1 piece of content, 0 errors, 0 warnings"),
        (2, 3, "1 file: 2 products (2 consumable), 3 pieces of content, 0 errors, 0 warnings"),
    ])
    func theSummaryCountsContentIfThereIsAny(products: Int, contents: Int, text: String) {
        let line = CheckSummaryLine(
            fileCount: 1,
            productCounts: [.consumable: products],
            contentCount: contents,
            errorCount: 0,
            warningCount: 0
        )
        #expect(line.text == text)
    }

    private static func manifest(length: some BinaryInteger, sha256: String, _ path: String) -> String {
        """
        {"version": 1, "products": {"coins": [{"identifier": "a", "version": "1", "length": \(length),
         "sha256": "\(sha256)", "source": "file://\(path)"}]}}
        """
    }

    private static func file(price: String) -> String {
        """
        {"identifier": "A", "nonRenewingSubscriptions": [], "subscriptionGroups": [], "settings": {},
         "version": {"major": 3, "minor": 0},
         "products": [{"displayPrice": "\(price)", "familyShareable": false, "internalID": "1",
           "localizations": [{"description": "Coins.", "displayName": "Coins", "locale": "en_US"}],
           "productID": "coins", "referenceName": "Coins", "type": "Consumable"}]}
        """
    }

    private func inFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString.prefix(8)).storekit")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url.path)
    }
}
