import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    @Test func aPurchaseBringsItsDownloads() async throws {
        try await EngineHarness.hosting(2).run { harness in
            let bought = try await harness.buy("pro")
            #expect(bought.downloads.map(\.content.identifier) == ["pro.0", "pro.1"])
            #expect(bought.downloads.allSatisfy { $0.state == .waiting && $0.transactionID == bought.id })
            #expect(try await harness.downloads() == bought.downloads)
        }
    }

    @Test func noOtherTransactionHasDownloads() async throws {
        let harness = EngineHarness.hosting()
        harness.provider.script("pro", [.decline])
        try await harness.run { harness in
            let failed = try await harness.buy("pro")
            #expect(failed.state == .failed)
            #expect(failed.downloads.isEmpty)
            let coins = try await harness.buy("coins")
            #expect(coins.downloads.isEmpty)
        }
    }

    @Test func aRestoredTransactionHasDownloadsToo() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.own("pro")
            _ = try await harness.engine.restoreCompletedTransactions(
                UUID(),
                applicationUsername: nil,
                in: EngineHarness.notes
            )
            let events = try await harness.events(after: bought.revision) { events in
                events.contains { $0.transaction?.state == .restored }
            }
            let restored = try #require(events.compactMap(\.transaction).first { $0.state == .restored })
            #expect(restored.downloads.map(\.content.identifier) == ["pro.0"])
            #expect(restored.downloads.first?.id != bought.downloads.first?.id)
        }
    }

    @Test func aDownloadThatIsStartedIsFetchedAndFinished() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let started = try await harness.control(.start, bought.downloads)
            #expect(started.map(\.state) == [.active])
            let id = bought.downloads[0].id
            await harness.downloader.wait { $0.isRunning(id) }
            harness.downloader.end(id, .published(path: "/content/pro", size: 5000))
            let finished = try await harness.download(id, reaching: .finished, after: bought.revision)
            #expect(finished.contentPath == "/content/pro")
            #expect(finished.progress == 1)
            #expect(finished.timeRemaining == nil)
        }
    }

    @Test func aChangeOfADownloadIsNoChangeOfItsTransaction() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            _ = try await harness.control(.start, bought.downloads)
            let events = try await harness.events(after: bought.revision) { $0.count == 1 }
            #expect(events.map(\.summary) == ["downloads pro.0 active"])
        }
    }

    @Test func progressIsShownAndNotStored() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let id = bought.downloads[0].id
            _ = try await harness.control(.start, bought.downloads)
            await harness.downloader.wait { $0.isRunning(id) }
            harness.downloader.report(id, receivedBytes: 250, timeRemaining: .seconds(3))
            let events = try await harness.events(after: bought.revision) { events in
                events.contains { $0.downloads.contains { $0.receivedBytes == 250 } }
            }
            let shown = try #require(events.flatMap(\.downloads).last)
            #expect(shown.progress == 0.25)
            #expect(shown.timeRemaining == .seconds(3))
            let listed = try await harness.downloads()
            #expect(listed.first?.receivedBytes == 250)
            let stored = try await harness.ledger.read { try $0.download(id) }
            #expect(stored?.receivedBytes == 0)
        }
    }

    @Test func aPausedDownloadStopsAndKeepsItsPlace() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let id = bought.downloads[0].id
            _ = try await harness.control(.start, bought.downloads)
            await harness.downloader.wait { $0.isRunning(id) }
            harness.downloader.report(id, receivedBytes: 250)
            let paused = try await harness.control(.pause, bought.downloads)
            #expect(paused.map(\.state) == [.paused])
            #expect(paused.first?.receivedBytes == 250)
            await harness.downloader.wait { !$0.isRunning(id) }
            #expect(harness.downloader.removed == [])
            _ = try await harness.control(.resume, bought.downloads)
            await harness.downloader.wait { $0.isRunning(id) }
        }
    }

    @Test func noProgressIsShownOfWhatRests() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let id = bought.downloads[0].id
            _ = try await harness.control(.start, bought.downloads)
            await harness.downloader.wait { $0.isRunning(id) }
            harness.downloader.report(id, receivedBytes: 250)
            _ = try await harness.control(.pause, bought.downloads)
            harness.downloader.report(id, receivedBytes: 300)
            // Later changes come after everything that is reported of the download.
            let coins = try await harness.buy("coins")
            let events = try await harness.events(after: bought.revision) { events in
                events.contains { $0.transaction?.id == coins.id && $0.transaction?.state == .purchased }
            }
            #expect(events.flatMap(\.downloads).last?.state == .paused)
        }
    }

    @Test func aCancelledDownloadIsRemovedAndMayBeStartedAgain() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let id = bought.downloads[0].id
            _ = try await harness.control(.start, bought.downloads)
            await harness.downloader.wait { $0.isRunning(id) }
            #expect(try await harness.control(.cancel, bought.downloads).map(\.state) == [.cancelled])
            await harness.downloader.wait { $0.removed == [id] }
            #expect(try await harness.control(.start, bought.downloads).map(\.state) == [.active])
            await harness.downloader.wait { $0.isRunning(id) }
        }
    }

    @Test func aFailureIsReportedWithItsReason() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let id = bought.downloads[0].id
            _ = try await harness.control(.start, bought.downloads)
            await harness.downloader.wait { $0.isRunning(id) }
            harness.downloader.end(id, .failed(DownloadError(.checksum, "Other bytes.")))
            let failed = try await harness.download(id, reaching: .failed, after: bought.revision)
            #expect(failed.error == DownloadError(.checksum, "Other bytes."))
            await harness.downloader.wait { $0.removed == [id] }
        }
    }

    @Test func finishingEndsRunningDownloadsWithoutFurtherReports() async throws {
        try await EngineHarness.hosting(2).run { harness in
            let bought = try await harness.buy("pro")
            let ids = bought.downloads.map(\.id)
            let started = try await harness.control(.start, [bought.downloads[0]])
            await harness.downloader.wait { $0.isRunning(ids[0]) }
            let removal = try await harness.engine.finishTransaction(bought.id, in: EngineHarness.notes)
            await harness.downloader.wait { Set($0.removed) == Set(ids) && !$0.isRunning(ids[0]) }
            #expect(try await harness.downloads().isEmpty)
            let coins = try await harness.buy("coins")
            let events = try await harness.events(after: removal) { events in
                events.contains { $0.transaction?.id == coins.id && $0.transaction?.state == .purchased }
            }
            #expect(events.flatMap(\.downloads).isEmpty)
            await expect(.notFound) { _ = try await harness.control(.start, started) }
        }
    }

    @Test func anotherQueueHasNothingToSayAboutADownload() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let other = QueueName(application: "org.example.notes", account: "uid:1001")
            let error = await expect(.notFound) { _ = try await harness.control(.cancel, bought.downloads, in: other) }
            #expect(error?.message.contains(bought.downloads[0].id.text) == true)
            #expect(try await harness.downloads(in: other).isEmpty)
            #expect(try await harness.downloads().map(\.state) == [.waiting])
        }
    }

    @Test func aDownloadThatTakesTooLongFails() async throws {
        try await EngineHarness.hosting(configure: { $0.downloadDeadline = .seconds(60) }).run { harness in
            let bought = try await harness.buy("pro")
            let id = bought.downloads[0].id
            _ = try await harness.control(.start, bought.downloads)
            await harness.downloader.wait { $0.isRunning(id) }
            // Once its deadline's sleeper is there, or it is found again after the deadline.
            let failed = Task { try await harness.download(id, reaching: .failed, after: bought.revision) }
            while try await harness.downloads().first?.state == .active {
                harness.time.advance(by: 61)
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await failed.value.error?.reason == .expired)
            await harness.downloader.wait { $0.removed == [id] }
        }
    }

    @Test func contentThatTheStoreNoLongerHasIsWithdrawn() async throws {
        let catalogue = TestCatalogue()
        catalogue.host(1, for: "pro")
        try await EngineHarness(catalogue: catalogue).run { harness in
            let bought = try await harness.buy("pro")
            catalogue.host(1, for: "pro", version: "2.0")
            _ = try await harness.control(.start, bought.downloads)
            let failed = try await harness.download(
                bought.downloads[0].id,
                reaching: .failed,
                after: bought.revision
            )
            #expect(failed.error?.reason == .withdrawn)
        }
    }

    @Test func anAccountsDownloadsTakeNoMoreThanItsQuota() async throws {
        try await EngineHarness.hosting(3, configure: { $0.downloadQuota = 2500 }).run { harness in
            let bought = try await harness.buy("pro")
            let started = try await harness.control(.start, bought.downloads)
            #expect(started.map(\.state) == [.active, .active, .failed])
            #expect(started.last?.error?.reason == .quota)
            #expect(started.last?.error?.message.contains("only 500 of the account's 2500 are left") == true)
            // A cancelled download frees space.
            _ = try await harness.control(.cancel, [started[0]])
            #expect(try await harness.control(.start, [started[2]]).map(\.state) == [.active])
        }
    }

    @Test func runningDownloadsContinueWithTheNextEngine() async throws {
        let ledger = MemoryLedger()
        let first = EngineHarness.hosting(ledger: ledger)
        let started = NIOLockedValueBox<UUID?>(nil)
        try await first.run { harness in
            let bought = try await harness.buy("pro")
            _ = try await harness.control(.start, bought.downloads)
            await harness.downloader.wait { $0.isRunning(bought.downloads[0].id) }
            started.withLockedValue { $0 = bought.downloads[0].id }
        }
        let download = try #require(started.withLockedValue { $0 })
        #expect(!first.downloader.isRunning(download))
        #expect(first.downloader.removed == [])
        try await EngineHarness.hosting(ledger: ledger).run { harness in
            await harness.downloader.wait { $0.isRunning(download) }
            #expect(harness.downloader.kept == [download])
        }
    }

    /// Downloads all of a purchase, and ends when it is finished.
    private func finish(_ bought: Transaction, _ harness: EngineHarness) async throws {
        _ = try await harness.control(.start, bought.downloads)
        for id in bought.downloads.map(\.id) {
            await harness.downloader.wait { $0.isRunning(id) }
            harness.downloader.end(id, .published(path: "/content/\(id.text)", size: 5000))
            try await harness.download(id, reaching: .finished, after: bought.revision)
        }
    }

    @Test func finishedContentThatIsGoneWaitsAgain() async throws {
        let ledger = MemoryLedger()
        let finished = NIOLockedValueBox<Transaction?>(nil)
        try await EngineHarness.hosting(2, ledger: ledger).run { harness in
            let bought = try await harness.buy("pro")
            try await finish(bought, harness)
            finished.withLockedValue { $0 = bought }
        }
        let bought = try #require(finished.withLockedValue { $0 })
        let lost = bought.downloads[0].id
        let second = EngineHarness.hosting(2, ledger: ledger)
        second.downloader.lose(lost)
        try await second.run { harness in
            let waiting = try await harness.download(lost, reaching: .waiting, after: bought.revision)
            #expect(waiting.contentPath == nil)
            #expect(waiting.progress == 0)
            #expect(try await harness.downloads().map(\.state) == [.waiting, .finished])
            let taken = try await harness.ledger.read { try $0.downloadBytes(ofAccount: EngineHarness.notes.account) }
            #expect(taken == 5000)
            _ = try await harness.control(.start, [waiting])
            await harness.downloader.wait { $0.isRunning(lost) }
            harness.downloader.end(lost, .published(path: "/content/again", size: 5000))
            let again = try await harness.download(lost, reaching: .finished, after: bought.revision)
            #expect(again.contentPath == "/content/again")
        }
    }

    @Test func startingAFinishedDownloadFetchesItOnlyIfItIsGone() async throws {
        try await EngineHarness.hosting().run { harness in
            let bought = try await harness.buy("pro")
            let id = bought.downloads[0].id
            try await finish(bought, harness)
            #expect(try await harness.control(.start, bought.downloads).map(\.state) == [.finished])
            harness.downloader.lose(id)
            #expect(try await harness.control(.start, bought.downloads).map(\.state) == [.active])
            await harness.downloader.wait { $0.isRunning(id) }
        }
    }

    @Test func aCommandNamesOneToThirtyTwoDownloads() async throws {
        try await EngineHarness.hosting().run { harness in
            for count in [0, PaymentEngine.downloadCommandMaximum + 1] {
                await expect(.invalidArgument) {
                    let ids = (0..<count).map { _ in UUID() }
                    _ = try await harness.engine.control(.start, ids, in: EngineHarness.notes)
                }
            }
        }
    }
}
