import Foundation
import Testing
@testable import TillCommand

@Suite struct CatalogueCheckTests {
    @Test func aGoodFileIsSummedUp() async throws {
        try await inFile(Self.file(price: "0.99")) { path in
            let console = TestConsole()
            #expect(await Till.run(["catalogue", "check", path], console.console) == .done)
            #expect(console.output.values.last == "1 file: 1 product (1 consumable), 0 errors, 0 warnings")
            #expect(console.complaints.values.isEmpty)
        }
    }

    @Test func aBadFileIsNamedWithItsProduct() async throws {
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
                {"errors":1,"files":1,"products":{"auto_renewable_subscription":0,"consumable":0,"non_consumable":0,\
                "non_renewing_subscription":0},"warnings":0}
                """,
            ]
        )
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
