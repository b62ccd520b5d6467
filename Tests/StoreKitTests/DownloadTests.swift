import Foundation
@testable import StoreKit
import Testing
import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    @Test("S-50: a purchased or restored transaction has a download for each piece of content")
    func aPurchaseHasItsDownloads() async throws {
        try await Self.run(pieces: 2) { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            #expect(bought.downloads.map(\.contentIdentifier) == ["pro.0", "pro.1"])
            #expect(bought.downloads.allSatisfy { $0.contentVersion == "1.0" && $0.contentLength == 1000 })
            #expect(bought.downloads.allSatisfy { $0.expectedContentLength == 1000 && $0.transaction === bought })
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            let coins = observer.updated.filter { $0.payment.productIdentifier == "coins" }
            #expect(coins.allSatisfy { $0.downloads.isEmpty })
            queue.finishTransaction(bought)
            await observer.saw("removed pro")
            queue.restoreCompletedTransactions()
            await observer.saw("updated pro restored")
            #expect(observer.updated.last?.downloads.map(\.contentIdentifier) == ["pro.0", "pro.1"])
        }
    }

    @Test("S-51: a download waits until it is started, and can be started only while its transaction is unfinished")
    func aDownloadWaitsUntilItIsStarted() async throws {
        try await Self.run { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            let download = try #require(bought.downloads.first)
            #expect(download.state == .waiting && download.downloadState == .waiting)
            queue.finishTransaction(bought)
            await observer.saw("removed pro")
            queue.start([download, SKDownload()])
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            #expect(download.state == .waiting)
            #expect(observer.downloads.isEmpty)
        }
    }

    @Test("S-52: every change of state and progress is reported with the changed object")
    func everyChangeIsReported() async throws {
        try await Self.run { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            let download = try #require(bought.downloads.first)
            let id = try #require(download.identity)
            queue.start([download])
            await observer.saw("download pro.0 active")
            await store.downloader.wait { $0.isRunning(id) }
            store.downloader.report(id, receivedBytes: 500, timeRemaining: .seconds(4))
            await observer.until { _ in download.progress == 0.5 }
            #expect(download.timeRemaining == 4)
            queue.pause([download])
            await observer.saw("download pro.0 paused")
            #expect(download.progress == 0.5 && download.timeRemaining == SKDownloadTimeRemainingUnknown)
            queue.resume([download])
            await observer.until { $0.last == "download pro.0 active" }
            queue.cancel([download])
            await observer.saw("download pro.0 cancelled")
            #expect(observer.downloads.allSatisfy { $0 === download })
        }
    }

    @Test("S-53: finished content has a URL until its transaction is finished")
    func finishedContentHasAURL() async throws {
        try await Self.run { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            let download = try #require(bought.downloads.first)
            #expect(download.contentURL == nil)
            try await Self.finish(download, queue, observer, store)
            #expect(download.contentURL == URL(filePath: "/content/pro") && download.progress == 1)
            SKPaymentQueue.$replacement.withValue(queue) {
                #expect(SKDownload.contentURL(forProductID: "pro") == URL(filePath: "/content/pro"))
                #expect(SKDownload.contentURL(forProductID: "coins") == nil)
                SKDownload.deleteContent(forProductID: "pro")
                #expect(SKDownload.contentURL(forProductID: "pro") != nil)
            }
            queue.finishTransaction(bought)
            await observer.saw("removed pro")
            await store.downloader.wait { $0.removed == [download.identity] }
            SKPaymentQueue.$replacement.withValue(queue) {
                #expect(SKDownload.contentURL(forProductID: "pro") == nil)
            }
        }
        try MovingPage.explains("S-53", "deleteContent")
    }

    @Test("S-54: finishing deletes the content, and no further changes are reported")
    func finishingDeletesTheContent() async throws {
        try await Self.run { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            let download = try #require(bought.downloads.first)
            let id = try #require(download.identity)
            queue.start([download])
            await store.downloader.wait { $0.isRunning(id) }
            await observer.saw("download pro.0 active")
            queue.finishTransaction(bought)
            await observer.saw("removed pro")
            await store.downloader.wait { $0.removed == [id] && !$0.isRunning(id) }
            #expect(bought.downloads.isEmpty)
            #expect(observer.calls.filter { $0.hasPrefix("download") } == ["download pro.0 active"])
        }
    }

    @Test("S-55: a download continues without the application")
    func aDownloadContinuesWithoutTheApplication() async throws {
        try await Self.run { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            let id = try #require(bought.downloads.first?.identity)
            queue.start(bought.downloads)
            await store.downloader.wait { $0.isRunning(id) }
            await queue.connection?.disconnect()
            store.downloader.end(id, .published(path: "/content/pro", size: 1000))
            let (_, next) = store.observed()
            await next.saw("updated pro purchased")
            await next.until { _ in next.updated.first?.downloads.first?.state == .finished }
        }
    }

    @Test("S-56: a failed download has an error; failed and cancelled downloads can be started again")
    func aFailedDownloadHasAnError() async throws {
        try await Self.run { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            let download = try #require(bought.downloads.first)
            let id = try #require(download.identity)
            queue.start([download])
            await store.downloader.wait { $0.isRunning(id) }
            // An observer that reads only after the failure does not see the active state.
            await observer.saw("download pro.0 active")
            store.downloader.end(id, .failed(DownloadError(.network, "The server is gone.")))
            await observer.saw("download pro.0 failed")
            let error = try #require(download.error as? SKError)
            #expect(error.code == .cloudServiceNetworkConnectionFailed)
            #expect(error.localizedDescription == "The server is gone.")
            #expect(error.userInfo[SKTillErrorKey.reason] as? String == "network")
            queue.pause([download])
            queue.start([download])
            await observer.saw("download pro.0 active", times: 2)
            #expect(download.error == nil)
            queue.cancel([download])
            await observer.saw("download pro.0 cancelled")
            queue.start([download])
            await store.downloader.wait { $0.isRunning(id) }
        }
    }

    @Test("C41: a download is one object, which changes in place and is passed to observers")
    func aDownloadIsOneObject() async throws {
        try await Self.run { store, queue, observer in
            let bought = try await Self.buy(queue, observer)
            let download = try #require(bought.downloads.first)
            try await Self.finish(download, queue, observer, store)
            #expect(bought.downloads.first === download)
            #expect(observer.downloads.count >= 2 && observer.downloads.allSatisfy { $0 === download })
            #expect(bought.downloads.first?.state == .finished)
        }
    }

    @Test func aProductListsItsHostedContent() throws {
        let content = [2, 3].map { ProductContent(identifier: "a", version: "\($0).0", length: $0) }
        let price = Price(amount: 1, currency: "USD")
        var product = Product(
            id: "pro",
            type: .nonConsumable,
            displayName: "",
            description: "",
            price: price,
            locale: "en-US"
        )
        #expect(!SKProduct(product).isDownloadable && SKProduct(product).downloadContentVersion.isEmpty)
        product.contents = content
        let shown = SKProduct(product)
        #expect(shown.isDownloadable && shown.downloadable)
        #expect(shown.downloadContentLengths == [2, 3] && shown.contentLengths == [2, 3])
        #expect(shown.downloadContentVersion == "2.0" && shown.contentVersion == "2.0")
    }

    /// A store that hosts content for `pro`, and a queue with an observer.
    private static func run(
        pieces: Int = 1,
        _ body: (StoreHarness, SKPaymentQueue, Recorder) async throws -> Void
    ) async throws {
        try await StoreHarness.run { store in
            store.catalogue.host(pieces, for: "pro")
            let (queue, observer) = store.observed()
            try await body(store, queue, observer)
        }
    }

    private static func buy(_ queue: SKPaymentQueue, _ observer: Recorder) async throws -> SKPaymentTransaction {
        queue.add(SKMutablePayment("pro"))
        await observer.saw("updated pro purchased")
        return try #require(observer.updated.last { $0.payment.productIdentifier == "pro" })
    }

    private static func finish(
        _ download: SKDownload,
        _ queue: SKPaymentQueue,
        _ observer: Recorder,
        _ store: StoreHarness
    ) async throws {
        let id = try #require(download.identity)
        queue.start([download])
        await store.downloader.wait { $0.isRunning(id) }
        await observer.saw("download pro.0 active")
        store.downloader.end(id, .published(path: "/content/pro", size: 1000))
        await observer.saw("download pro.0 finished")
    }
}
