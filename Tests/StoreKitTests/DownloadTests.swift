import Foundation
import StoreKit
import Testing
import TillModel

/// The store hosts no content yet: each row is held by there being nothing to download, and by the page that says so.
@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    @Test("S-50: no transaction has downloads")
    func noTransactionHasDownloads() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("pro"))
            await observer.saw("updated pro purchased")
            #expect(observer.updated.allSatisfy { $0.downloads.isEmpty })
        }
        try MovingPage.explains("S-50", "download")
    }

    @Test("S-51: starting a download does nothing")
    func startingDoesNothing() throws {
        let download = SKDownload()
        SKPaymentQueue().start([download])
        #expect(download.state == .waiting)
        try MovingPage.explains("S-51", "download")
    }

    @Test("S-52: a download neither moves nor says how far it is")
    func aDownloadDoesNotMove() throws {
        let (queue, download) = (SKPaymentQueue(), SKDownload())
        for act in [queue.start, queue.pause, queue.resume, queue.cancel] { act([download]) }
        #expect(download.state == .waiting && download.progress == 0)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
        try MovingPage.explains("S-52", "download")
    }

    @Test("S-53: there is no content, also not by product")
    func thereIsNoContent() throws {
        #expect(SKDownload().contentURL == nil && SKDownload.contentURL(forProductID: "pro") == nil)
        SKDownload.deleteContent(forProductID: "pro")
        #expect(SKDownload().contentIdentifier.isEmpty && SKDownload().contentVersion.isEmpty)
        #expect(SKDownload().contentLength == 0 && SKDownload().expectedContentLength == 0)
        try MovingPage.explains("S-53", "download")
    }

    @Test("S-54: a transaction is finished without waiting for downloads")
    func finishingWaitsForNoDownloads() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed(finishes: true)
            queue.add(SKMutablePayment("pro"))
            await observer.saw("removed pro")
            #expect(!observer.calls.contains("downloads"))
        }
        try MovingPage.explains("S-54", "download")
    }

    @Test("S-55: nothing downloads in the background")
    func nothingDownloadsInTheBackground() throws {
        try MovingPage.explains("S-55", "download")
    }

    @Test("S-56: no download fails")
    func noDownloadFails() throws {
        #expect(SKDownload().error == nil)
        try MovingPage.explains("S-56", "download")
    }
}
