import Foundation
import StoreKitTest
import Testing
import TillClient
import TillModel

/// A session hosts the content in the manifest next to its configuration file.
@Suite(.timeLimit(.minutes(10))) struct ContentTests {
    // The SHA-256 of "hello\n".
    private static let sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"

    @Test func contentIsDownloadedFromAFileBesideTheConfiguration() async throws {
        try await Self.session { session in
            let queue = session.queue
            let bought = try await queue.purchase(Payment(productID: Store.pro))
            try await queue.start(bought.downloads)
            let download = try await Self.end(of: bought.downloads[0].id, in: queue)
            #expect(download.state == .finished)
            let path = try #require(download.contentPath)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "hello\n")
            try await queue.finish(bought)
            while FileManager.default.fileExists(atPath: path) {
                try Task.checkCancellation()
                await Task.yield()
            }
            await queue.close()
        }
    }

    @Test func aDownloadContinuesAfterTheServerWasKilled() async throws {
        try await Self.session { session in
            let queue = session.queue
            let bought = try await queue.purchase(Payment(productID: Store.pro))
            try await queue.start(bought.downloads)
            try session.killServer()
            try session.restartServer()
            #expect(try await Self.end(of: bought.downloads[0].id, in: queue).state == .finished)
            await queue.close()
        }
    }

    @Test func everyPurchaseIsSignedAsXcodeSignsIt() async throws {
        try await Self.session { session in
            let queue = session.queue
            let bought = try await queue.purchase(Payment(productID: Store.pro))
            let parts = try #require(bought.receipt).split(separator: ".")
            #expect(parts.count == 3)
            let text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
            let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
            let payload = try #require(Data(base64Encoded: text + padding))
            let json = try JSONSerialization.jsonObject(with: payload)
            let fields = try #require(json as? [String: Any])
            #expect(fields["environment"] as? String == "Xcode")
            #expect(fields["productId"] as? String == Store.pro)
            #expect(try await queue.applicationReceipt().split(separator: ".").count == 3)
            await queue.close()
        }
    }

    private static func session(_ body: (SKTestSession) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "Notes.storekit")
        try FileManager.default.copyItem(at: try Store.file(), to: file)
        try Data("hello\n".utf8).write(to: directory.appending(path: "hello"))
        let manifest = """
            {"version": 1, "products": {"\(Store.pro)": [
                {"identifier": "hello", "version": "1", "length": 6, "sha256": "\(sha256)", "source": "file:hello"}
            ]}}
            """
        try Data(manifest.utf8).write(to: directory.appending(path: "Notes.content.json"))
        try await body(try Store.session(contentsOf: file))
    }

    /// Waits until the download has finished or failed.
    private static func end(of id: UUID, in queue: PaymentQueue) async throws -> Download {
        while true {
            for try await download in queue.downloads where download.id == id && download.state != .active {
                return download
            }
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
