import Dispatch
import Foundation
import NIOConcurrencyHelpers
@testable import StoreKit
import Testing
import TillClient
import TillEngine
import TillModel

@Suite struct ReceiptTests {
    @Test("C30: Foundation's appStoreReceiptURL is the only one")
    func foundationsReceiptURLIsNotAmbiguous() throws {
        #expect(Bundle.main.appStoreReceiptURL == nil)
        #expect(try Sources.texts(in: "Sources/StoreKit").allSatisfy { !$0.contains("var appStoreReceiptURL") })
        try MovingPage.explains("C30", "appStoreReceiptURL")
    }

    @Test(
        "C31: Foundation's Bundle cannot be subclassed, unlike its open classes",
        arguments: [("Bundle", false), ("NSObject", true)]
    )
    func bundlesAreNotSubclassed(_ base: String, _ compiles: Bool) throws {
        let (compiler, source) = (Process(), Pipe())
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-typecheck", "-"]
        compiler.standardInput = source
        compiler.standardError = FileHandle.nullDevice
        try compiler.run()
        try source.fileHandleForWriting.write(contentsOf: Data("import Foundation\nclass Fake: \(base) {}\n".utf8))
        try source.fileHandleForWriting.close()
        compiler.waitUntilExit()
        #expect((compiler.terminationStatus == 0) == compiles)
        try MovingPage.explains("C31", "cannot be subclassed")
    }

    @Test("C32: the receipt has a separate path because Foundation is not patched")
    func foundationIsNotPatched() throws {
        #expect(SKPaymentQueue.receiptURL?.lastPathComponent == "receipt")
        #expect(try Sources.texts(in: "Sources/StoreKit").allSatisfy { !$0.contains("mprotect") })
        try MovingPage.explains("C32", "SKPaymentQueue.receiptURL")
    }

    @Test(arguments: [
        (["TILL_RECEIPT": "/r"], "/r"), (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/till/app/receipt"),
        (["XDG_DATA_HOME": "d", "HOME": "/h"], "/h/.local/share/till/app/receipt"), ([:], nil),
    ])
    func theReceiptsPlaceIsFound(_ environment: [String: String], _ path: String?) {
        #expect(ReceiptFile.standard(application: "app", environment: environment)?.path == path)
    }

    @Test(arguments: ["..", ".hidden"]) func anApplicationsNameIsNotAPath(_ name: String) {
        let file = ReceiptFile.standard(application: name, environment: ["HOME": "/h"])
        #expect(file?.path == "/h/.local/share/till/_\(name)/receipt")
    }

    @Test func anOlderReceiptDoesNotReplaceANewerOne() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = ReceiptFile(path: directory.appending(path: "receipt").path)
        let refreshes = ReceiptRefreshes(file)
        let (first, second) = (refreshes.begin(), refreshes.begin())
        try refreshes.write("newer", from: second)
        try refreshes.write("older", from: first)
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "newer")
        try refreshes.write("newest", from: refreshes.begin())
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "newest")
    }

    @Test func theReceiptExistsWithoutPurchasesAndOnlyItsUserCanReadIt() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            let url = try #require(queue.connection?.receiptURL)
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            #expect(try String(contentsOf: url, encoding: .utf8) == "org.example.notes.coins.purchased.99-USD.USA")
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(observer.updated.last?.transactionReceipt == Data("header.coins.purchased.99-USD.USA".utf8))
        }
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            let url = try #require(queue.connection?.receiptURL)
            #expect(try String(contentsOf: url, encoding: .utf8) == "org.example.notes.")
        }
    }

    /// The end of a restore may follow before the initial delivery has ended, after which the receipt is written too.
    @Test func theReceiptExistsWhenARestoreEndsWithinTheInitialDelivery() async throws {
        try await StoreHarness.run { store in
            try await store.set(.askToBuy, "true")
            // More than the daemon sends before some are acknowledged.
            for _ in 0..<400 {
                _ = try await store.engine.addPayment(Payment(productID: "coins"), to: store.name)
            }
            let ended = DispatchSemaphore(value: 0)
            let client = PaymentQueue(
                ClientConfiguration(application: StoreHarness.application, socketPath: store.socketPath)
            )
            let watch = Task {
                for try await change in client.watchedChanges {
                    if case .restoreFinished = change {
                        return _ = ended.signal()
                    }
                }
            }
            let isFirst = NIOLockedValueBox(true)
            let observer = Recorder(onUpdate: { queue, _ in
                guard
                    isFirst.withLockedValue({ wasFirst in
                        defer { wasFirst = false }; return wasFirst
                    })
                else {
                    return
                }
                queue.restoreCompletedTransactions()
                ended.wait()
            })
            let queue = store.queue()
            let url = try #require(queue.connection?.receiptURL)
            queue.add(observer)
            await observer.saw("restore finished")
            #expect(try String(contentsOf: url, encoding: .utf8) == "org.example.notes.")
            try await watch.value
            await client.close()
        }
    }
}
