import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
import TillModel
@testable import TillCommand

@Suite struct DownloadTests {
    private static let all = [Download.sample(1), .sample(2), .sample(3)]

    private func selected(_ ids: [String]) throws -> [Download] {
        let prefixes = try ids.map { try #require(IdentityPrefix(argument: $0)) }
        return try DownloadSelection.ids(prefixes).selected(from: Self.all)
    }

    @Test func downloadsAreSelectedOnceAndInTheOrderGiven() throws {
        let third = Self.all[2].id.text
        #expect(try selected([third, Self.all[0].id.text, third]).map(\.id) == [Self.all[2].id, Self.all[0].id])
        #expect(try DownloadSelection.all.selected(from: Self.all) == Self.all)
        #expect(try DownloadSelection.all.selected(from: []).isEmpty)
    }

    @Test func downloadsAreSelectedByTheirTransaction() throws {
        let odd = DownloadSelection.transactions([UUID(high: 0, low: 1)])
        #expect(try odd.selected(from: Self.all) == [Self.all[0], Self.all[2]])
        let error = #expect(throws: TillError.self) {
            try DownloadSelection.transactions([UUID(high: 9, low: 9)]).selected(from: Self.all)
        }
        #expect(error?.code == .notFound)
    }

    @Test func anAmbiguousDownloadIsRefused() {
        let error = #expect(throws: TillError.self) { try selected(["01a1fe7e"]) }
        #expect(error?.code == .invalidArgument)
        #expect(
            error?.message
                == "Ambiguous download 01a1fe7e: it matches \(Self.all[0].id.text) and \(Self.all[1].id.text); use more digits."
        )
    }

    @Test func anUnknownDownloadIsNamed() {
        let error = #expect(throws: TillError.self) { try selected(["ffff"]) }
        #expect(error?.code == .notFound)
        #expect(error?.message == "The queue has no download ffff; till downloads lists them.")
    }

    @Test func onlyChangesOfStateAreReported() {
        var watch = DownloadWatch([.sample(1, .active), .sample(2, .active)])
        #expect(watch.look(at: [.sample(1, .active, received: 5), .sample(2, .active), .sample(3, .failed)]).isEmpty)
        #expect(watch.progress.receivedBytes == 5)
        let news = watch.look(at: [.sample(2, .paused), .sample(1, .finished)])
        #expect(news.map(\.state) == [.finished, .paused])
        #expect(watch.look(at: [.sample(2, .paused), .sample(1, .finished)]).isEmpty)
    }

    @Test(arguments: DownloadState.allCases)
    func aWaitEndsWithFinalStates(_ state: DownloadState) {
        let watch = DownloadWatch([.sample(1, .finished), .sample(2, state)])
        #expect(watch.isOver == [.finished, .failed, .cancelled].contains(state))
        #expect(watch.resting.isEmpty == ![.waiting, .paused].contains(state))
        #expect(watch.failures.isEmpty == (state == .finished))
    }

    @Test func aDownloadOfAFinishedTransactionIsGone() {
        var watch = DownloadWatch([.sample(1, .active), .sample(2, .finished)])
        #expect(watch.look(at: []).isEmpty)
        #expect(watch.isOver)
        #expect(watch.failures.count == 2)
        let console = TestConsole()
        let failure = #expect(throws: CommandFailure.self) { try watch.judge(console.console) }
        #expect(failure?.status == .failed)
        #expect(failure?.message == "2 of 2 downloads did not finish.")
        #expect(console.complaints.values.count == 2)
        #expect(console.complaints.values.first?.hasSuffix("was removed: its transaction was finished.") == true)
    }

    @Test func aWaitForNoDownloadsSucceeds() throws {
        let watch = DownloadWatch([])
        #expect(watch.isOver)
        try watch.judge(TestConsole().console)
    }

    @Test func theProgressOfSeveralIsTheirSum() {
        var slow = Download.sample(1, .active, received: 100, of: 300)
        slow.timeRemaining = .seconds(90)
        var fast = Download.sample(2, .active, received: 100, of: 100)
        fast.timeRemaining = .seconds(1)
        let sum = DownloadProgressSum([slow, fast, .sample(3, .finished, received: 100, of: 100)])
        #expect(sum.count == 3 && sum.finishedCount == 1)
        #expect(sum.receivedBytes == 300 && sum.bytes == 500)
        #expect(sum.timeRemaining == .seconds(90))
        fast.timeRemaining = nil
        #expect(DownloadProgressSum([slow, fast]).timeRemaining == nil)
    }

    @Test func extremeLengthsDoNotTrap() {
        let sum = DownloadProgressSum([
            .sample(1, received: .max, of: .max), .sample(2, received: .min, of: .max), .sample(3, of: .min),
        ])
        #expect(sum.bytes == .max && sum.receivedBytes == .max)
        #expect(sum.share == 1)
        #expect(DownloadProgressSum([]).share == 0)
    }

    @Test func aBarShowsBytesAndTimeInOneLine() {
        var download = Download.sample(1, .active, received: 750_000)
        download.timeRemaining = .seconds(75)
        #expect(
            DownloadBar.text(DownloadProgressSum([download]))
                == "[###############...............] 50 %  750.0 kB of 1.5 MB  1 min 15 s left"
        )
        #expect(
            DownloadBar.text(DownloadProgressSum([download, .sample(2, .finished, received: 1_500_000)]))
                == "[######################........] 75 %  2.2 MB of 3.0 MB  1 of 2 done  1 min 15 s left"
        )
    }

    @Test func aBarIsDrawnOnlyOnATerminal() {
        let shown = NIOLockedValueBox<[String]>([])
        var console = TestConsole().console
        DownloadBar(console: console).draw(DownloadProgressSum([.sample(1)]))
        #expect(shown.withLockedValue { $0.isEmpty })
        console.show = { text in shown.withLockedValue { $0.append(text) } }
        DownloadBar(console: console).draw(DownloadProgressSum([.sample(1)]))
        DownloadBar(console: console).clear()
        #expect(shown.withLockedValue { $0.count } == 2)
        #expect(shown.withLockedValue { $0.allSatisfy { $0.hasPrefix("\r\u{1B}[K") } })
    }

    @Test(arguments: [
        (seconds: Int64(-1), text: "0 s"), (59, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (3600, "1 h 0 min"),
        (Int64.max, "2562047788015215 h 30 min"),
    ])
    func timeIsWrittenForPeople(seconds: Int64, text: String) {
        #expect(DownloadBar.time(.seconds(seconds)) == text)
    }

    @Test func aPartOfASecondIsRoundedUp() {
        #expect(DownloadBar.time(.milliseconds(1)) == "1 s")
        #expect(DownloadBar.time(.milliseconds(-1)) == "0 s")
    }

    @Test(arguments: [
        (bytes: Int64(-1), text: "-1 B"), (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1999, "1.9 kB"),
        (999_999, "999.9 kB"), (1_000_000, "1.0 MB"), (1 << 30, "1.0 GB"), (Int64.max, "9.2 EB"),
    ])
    func bytesAreWrittenForPeople(bytes: Int64, text: String) {
        #expect("\(ByteCount(bytes: bytes))" == text)
    }
}
