import ArgumentParser
import FoundationEssentials
import Testing
import TillClient
import TillModel
import TillOutput
@testable import TillCommand

@Suite struct CommandLineTests {
    private static let id = "01a1fdd4-02c2-765c-bc47-bd581239edd8"

    @Test(arguments: [
        ["--socket", "/s", "--application", "a", "--json", "buy", "coins"],
        ["buy", "--socket", "/s", "--application", "a", "--json", "coins"],
        ["buy", "coins", "--socket", "/s", "--application", "a", "--json"],
        ["--json", "buy", "--socket=/s", "coins", "--application=a"],
    ])
    func commonOptionsGoBeforeOrAfterTheVerb(arguments: [String]) throws {
        let verb = try #require(try Till.parseAsRoot(arguments) as? BuyVerb)
        #expect(verb.product == "coins")
        #expect(verb.common.socket == "/s")
        #expect(verb.common.application == "a")
        #expect(verb.common.json)
    }

    @Test func aPurchaseHasDefaults() throws {
        let verb = try #require(try Till.parseAsRoot(["buy", "coins"]) as? BuyVerb)
        #expect(verb.quantity == 1)
        #expect(verb.username == nil)
        #expect(verb.paymentID == nil)
        #expect(!verb.returnsAtOnce)
        #expect(!verb.common.json)
    }

    @Test func aPurchaseTakesItsOptions() throws {
        let arguments = ["buy", "coins", "--quantity", "3", "--username", "ann", "--no-wait", "--payment-id", Self.id]
        let verb = try #require(try Till.parseAsRoot(arguments) as? BuyVerb)
        #expect(verb.quantity == 3)
        #expect(verb.username == "ann")
        #expect(verb.returnsAtOnce)
        #expect(verb.paymentID?.uuid.text == Self.id)
    }

    @Test func transactionsAreNamedByIdentityOrIdentifier() throws {
        let verb = try #require(try Till.parseAsRoot(["finish", Self.id.uppercased(), "17"]) as? FinishVerb)
        let id = try #require(UUID(uuidString: Self.id))
        #expect(verb.references == [.id(id), .identifier("17")])
    }

    @Test func theOtherVerbsTakeTheirArguments() throws {
        let products = try Till.parseAsRoot(["products", "a", "b", "--locale", "de"]) as? ProductsVerb
        #expect(products?.ids == ["a", "b"])
        #expect(products?.locale == "de")
        #expect(try (Till.parseAsRoot(["transactions", "--all"]) as? TransactionsVerb)?.all == true)
        #expect(try (Till.parseAsRoot(["finish", "--all"]) as? FinishVerb)?.all == true)
        #expect(try (Till.parseAsRoot(["restore", "--username", "u"]) as? RestoreVerb)?.username == "u")
        #expect(try Till.parseAsRoot(["watch"]) is WatchVerb)
        #expect(try Till.parseAsRoot(["status"]) is StatusVerb)
        let check = try Till.parseAsRoot(["catalogue", "check", "f", "g", "--json"]) as? CatalogueCheckVerb
        #expect(check?.files == ["f", "g"])
        #expect(check?.common.json == true)
        #expect(check?.content == false)
        #expect(
            try (Till.parseAsRoot(["catalogue", "check", "--content", "f"]) as? CatalogueCheckVerb)?.content == true
        )
    }

    @Test(arguments: [
        ["frobnicate"], ["buy"], ["buy", "a", "b"], ["buy", "a", "--quantity", "0"], ["buy", "a", "--quantity", "11"],
        ["buy", "a", "--quantity", "x"], ["buy", "a", "--payment-id", "x"], ["--application", "a b", "status"],
        ["buy", "a", "--username", String(repeating: "u", count: 1025)], ["--socket", "", "status"], ["finish"],
        ["finish", "x"], ["finish", "--all", "17"], ["finish", "-1"], ["watch", "x"], ["status", "--bogus"],
        ["catalogue", "check"], ["restore", "--username"],
    ])
    func aWrongCommandLineIsRefusedInOneLine(arguments: [String]) async {
        let console = TestConsole()
        #expect(await Till.run(arguments, console.console) == .usage)
        #expect(console.output.values.isEmpty)
        #expect(console.complaints.values.count == 1)
        let complaint = console.complaints.values.first ?? ""
        #expect(complaint.hasPrefix("till: ") && !complaint.contains("Error:") && !complaint.contains("\n"))
        #expect(complaint.hasSuffix(" See till --help."))
    }

    @Test(arguments: [["--help"], ["help", "buy"], ["buy", "--help"], ["--generate-completion-script", "bash"]])
    func helpIsOutputAndNotAnError(arguments: [String]) async {
        let console = TestConsole()
        #expect(await Till.run(arguments, console.console) == .done)
        #expect(console.output.values.count == 1)
        #expect(console.complaints.values.isEmpty)
    }

    @Test(arguments: ["needs-review", "purchasing", "LocalTesting", "application-issue"])
    func theShellCompletesTheValuesOfAnOption(value: String) async {
        let console = TestConsole()
        #expect(await Till.run(["--generate-completion-script", "bash"], console.console) == .done)
        #expect(console.output.values.first?.contains(value) == true)
    }

    @Test(arguments: [
        (options: ["--socket", "/\(String(repeating: "s", count: 107))"], isTooLong: true),
        (["--socket", "/\(String(repeating: "s", count: 106))"], false),
    ])
    func aTooLongSocketPathIsRefused(options: [String], isTooLong: Bool) async {
        let console = TestConsole()
        #expect(await Till.run(["status"] + options, console.console) == (isTooLong ? .usage : .unreachable))
        #expect(console.complaints.values.first?.contains("at most 107 bytes") == isTooLong)
    }

    @Test func theVersionIsPrinted() async {
        let console = TestConsole()
        #expect(await Till.run(["--version"], console.console) == .done)
        #expect(console.output.values == [TillVersion.text])
    }

    @Test func anUnreachableDaemonIsReportedWithItsSocket() async {
        let console = TestConsole()
        let status = await Till.run(["--socket", "/nonexistent/s", "--application", "a", "status"], console.console)
        #expect(status == .unreachable)
        #expect(
            console.complaints.values
                == ["till: No daemon answers at /nonexistent/s; start tilld, or name its socket."]
        )
    }

    @Test(arguments: [
        (environment: [:], verb: "transactions"),
        (environment: ["TILL_APPLICATION": ""], verb: "transactions"),
        (environment: ["TILL_APPLICATION": "a b"], verb: "status"),
    ])
    func anApplicationIsRequiredAndChecked(environment: [String: String], verb: String) async {
        let console = TestConsole(environment: environment)
        #expect(await Till.run(["--socket", "/nonexistent/s", verb], console.console) == .usage)
        #expect(console.complaints.values.first?.contains("TILL_APPLICATION") == true)
    }

    @Test func theApplicationComesFromTheOptionElseTheEnvironmentElseTheVerb() throws {
        let console = TestConsole(environment: ["TILL_APPLICATION": "ambient"]).console
        var options = try CommonOptions.parse([])
        #expect(try options.application(console) == "ambient")
        options.application = "named"
        #expect(try options.application(console) == "named")
        options.application = nil
        let bare = TestConsole().console
        #expect(try options.application(bare, fallback: "till") == "till")
        #expect(try options.configuration(application: "a").callTimeout == CommonOptions.callTimeout)
        #expect(try options.configuration(application: "a").restoreTimeout == CommonOptions.restoreTimeout)
    }
}
