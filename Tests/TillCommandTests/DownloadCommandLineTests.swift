import ArgumentParser
import FoundationEssentials
import Testing
import TillModel
import TillOutput
@testable import TillCommand

@Suite struct DownloadCommandLineTests {
    private static let ends: [String] = ["--socket", "/nonexistent/s", "--application", "a"]

    @Test func downloadsAreListedWithoutAVerb() throws {
        #expect(try Till.parseAsRoot(["downloads"]) is DownloadsVerb)
        #expect(try (Till.parseAsRoot(["downloads", "--json"]) as? DownloadsVerb)?.common.json == true)
    }

    @Test func downloadsAreNamedInThreeWays() throws {
        let start = try #require(
            try Till.parseAsRoot(["downloads", "start", "01a1", "01a2", "--wait"]) as? DownloadsStartVerb
        )
        #expect(start.arguments.ids.map(\.text) == ["01a1", "01a2"])
        #expect(start.waits)
        let pause = try Till.parseAsRoot(["downloads", "pause", "--transaction", "17"]) as? DownloadsPauseVerb
        #expect(pause?.arguments.transaction == .identifier("17"))
        let resume = try Till.parseAsRoot(["downloads", "resume", "--all"]) as? DownloadsResumeVerb
        #expect(resume?.arguments.all == true)
        #expect(try Till.parseAsRoot(["downloads", "cancel", "01a1"]) is DownloadsCancelVerb)
        #expect(try (Till.parseAsRoot(["downloads", "wait"]) as? DownloadsWaitVerb)?.arguments.count == 0)
    }

    @Test(arguments: [
        ["downloads", "start"], ["downloads", "pause"], ["downloads", "resume"], ["downloads", "cancel"],
        ["downloads", "start", "--all", "01a1"], ["downloads", "cancel", "--all", "--transaction", "17"],
        ["downloads", "wait", "--all", "01a1"], ["downloads", "start", "x"], ["downloads", "frobnicate"],
        ["downloads", "pause", "--wait", "01a1"], ["receipt", "show"], ["receipt", "show", "x"],
        ["receipt", "root", "--der"], ["receipt", "verify"], ["receipt", "verify", "f", "--environment", "x"],
        ["receipt", "rebuild"], ["receipt", "rebuild", "17", "--reason", ""],
    ])
    func aWrongCommandLineIsRefused(arguments: [String]) async {
        let console = TestConsole()
        #expect(await Till.run(arguments, console.console) == .usage)
        #expect(console.output.values.isEmpty)
        #expect(console.complaints.values.count == 1)
    }

    @Test(arguments: [
        ["downloads"], ["downloads", "start", "--all"], ["downloads", "start", "--all", "--wait"],
        ["downloads", "pause", "01a1"], ["downloads", "resume", "01a1"],
        ["downloads", "cancel", "--transaction", "17"],
        ["downloads", "wait"], ["receipt", "show", "17"], ["receipt", "application"], ["receipt", "root"],
        ["receipt", "rebuild", "17"],
    ])
    func anUnreachableDaemonIsReported(arguments: [String]) async {
        let console = TestConsole()
        #expect(await Till.run(arguments + Self.ends, console.console) == .unreachable)
        #expect(console.output.values.isEmpty)
        #expect(
            console.complaints.values
                == ["till: No daemon answers at /nonexistent/s; start tilld, or name its socket."]
        )
    }

    @Test func receiptsTakeTheirArguments() throws {
        let show = try Till.parseAsRoot(["receipt", "show", "17", "--decode"]) as? ReceiptShowVerb
        #expect(show?.reference == .identifier("17"))
        #expect(show?.decode == true)
        let root = try Till.parseAsRoot(["receipt", "root", "--der", "-o", "f"]) as? ReceiptRootVerb
        #expect(root?.output.path == "f")
        let verify = try #require(
            try Till.parseAsRoot(["receipt", "verify", "-", "--root", "a", "--root", "b", "--environment", "sandbox"])
                as? ReceiptVerifyVerb
        )
        #expect(verify.path == "-")
        #expect(verify.root == ["a", "b"])
        #expect(verify.environment?.environment == .sandbox)
        let rebuild = try Till.parseAsRoot(["receipt", "rebuild", "17", "--reason", "r"]) as? ReceiptRebuildVerb
        #expect(rebuild?.reason.recorded == "r")
    }
}
