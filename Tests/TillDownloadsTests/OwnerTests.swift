import ContentServer
import Foundation
import Testing
import TillEngine
import TillModel

@testable import TillDownloads

@Suite("The owner of a content directory")
struct OwnerTests {
    private static let ledger = UUID()

    /// Publishes content and returns its path.
    private func publish(_ bench: DownloadBench) async throws -> String {
        let bytes = sampleBytes(1000)
        bench.server.put("/content", ServedBytes(bytes))
        guard case .published(let path, _) = await bench.download(try bench.order(bytes)) else {
            throw TillError(.failedPrecondition, "It was to be published.")
        }
        return path
    }

    @Test
    func aDirectoryBelongsToOneLedgerPermanently() async throws {
        try await DownloadBench.run { bench in
            try bench.downloader.claim(for: Self.ledger)
            let path = try await publish(bench)
            let other = try HostedContentDownloader(DownloaderConfiguration(directory: bench.content))
            let error = #expect(throws: TillError.self) { try other.claim(for: UUID()) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("\(bench.content) contains the content of another ledger") == true)
            #expect(error?.message.contains("--content") == true)
            try other.claim(for: Self.ledger)
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test
    func aDirectoryWithoutAnOwnerIsClaimedWithItsContent() async throws {
        try await DownloadBench.run { bench in
            let path = try await publish(bench)
            // The remains of a daemon that was killed while writing.
            try bench.directory.write("content/content.owner.new", Array("half".utf8))
            try bench.downloader.claim(for: Self.ledger)
            #expect(FileManager.default.fileExists(atPath: path))
            let names = try FileManager.default.contentsOfDirectory(atPath: bench.content)
            #expect(Set(names) == ["accounts", "content.owner", "partial"])
            #expect(throws: TillError.self) { try bench.downloader.claim(for: UUID()) }
        }
    }

    @Test(arguments: ["", "nonsense", String(repeating: "x", count: 1000)])
    func anInvalidOwnerFileIsRefused(text: String) async throws {
        try await DownloadBench.run { bench in
            try bench.directory.write("content/content.owner", Array(text.utf8))
            let error = #expect(throws: TillError.self) { try bench.downloader.claim(for: Self.ledger) }
            #expect(error?.message.contains(bench.content) == true)
            #expect(bench.directory.read("content/content.owner") == Array(text.utf8))
        }
    }

    @Test
    func removingContentKeepsTheOwnerFile() async throws {
        try await DownloadBench.run { bench in
            try bench.downloader.claim(for: Self.ledger)
            await bench.downloader.removeAll(except: [])
            #expect(bench.directory.read("content/content.owner") == Array("\(Self.ledger.text)\n".utf8))
        }
    }
}
