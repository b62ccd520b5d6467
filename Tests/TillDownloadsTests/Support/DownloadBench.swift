import ContentServer
import Foundation
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import Testing
import TillCrypto
import TillDownloads
import TillEngine
import TillModel

/// A content directory and a server for one test, which exist only during the block.
struct DownloadBench: Sendable {
    let directory: TestDirectory
    let server: ContentServer
    let clock: TestClock
    let downloader: HostedContentDownloader

    static let ownAccount = "uid:\(geteuid())"
    static let queue = QueueName(application: "org.example.notes", account: ownAccount)

    /// The content directory, below the bench's directory.
    var content: String { directory.path("content") }

    static func run(
        clock: TestClock = TestClock(),
        configure: (inout DownloaderConfiguration) -> Void = { _ in },
        _ body: (DownloadBench) async throws -> Void
    ) async throws {
        let directory = try TestDirectory()
        var configuration = DownloaderConfiguration(directory: directory.path("content"))
        configuration.clock = clock
        configuration.freeSpaceFloor = 0
        configure(&configuration)
        let downloader = try HostedContentDownloader(configuration)
        let server = try await ContentServer()
        let bench = DownloadBench(directory: directory, server: server, clock: clock, downloader: downloader)
        do {
            try await body(bench)
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }

    /// Creates an order for bytes that the server returns at `/content`, or that are in a file.
    func order(
        _ bytes: [UInt8],
        id: UUID = UUID(),
        queue: QueueName = queue,
        address: String? = nil,
        length: Int? = nil,
        archive: ContentSource.Archive? = nil
    ) throws -> ContentOrder {
        let url = try #require(URL(string: address ?? server.address("/content")))
        return ContentOrder(
            id: id,
            queue: queue,
            source: ContentSource(
                content: ProductContent(identifier: "level.1", version: "1.0", length: Int64(length ?? bytes.count)),
                sha256: SHA256Digest(of: bytes).bytes,
                url: url,
                archive: archive
            )
        )
    }

    func download(_ order: ContentOrder) async -> DownloadOutcome {
        await downloader.download(order) { _ in }
    }

    /// Downloads, and is cancelled once this many bytes were received.
    func download(_ order: ContentOrder, stoppingAt bytes: Int64) async -> DownloadOutcome {
        let seen = NIOLockedValueBox<Int64>(0)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return await withTaskGroup(of: DownloadOutcome?.self) { group in
            group.addTask {
                let outcome = await downloader.download(order) { progress in
                    seen.withLockedValue { $0 = progress.receivedBytes }
                    if progress.receivedBytes >= bytes {
                        arrived.finish()
                    }
                }
                arrived.finish()
                return outcome
            }
            for await _ in arrivals {}
            group.cancelAll()
            return await group.next().flatMap { $0 } ?? .stopped(receivedBytes: -1)
        }
    }

    /// Checks that exactly these bytes are published, and that no temporary files are left.
    func expectPublished(
        _ outcome: DownloadOutcome,
        _ bytes: [UInt8],
        _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .published(let path, let size) = outcome else {
            Issue.record("\(outcome) \(comment ?? "")", sourceLocation: sourceLocation)
            return
        }
        let found = FileManager.default.contents(atPath: path).map(Array.init)
        #expect(found == bytes, comment, sourceLocation: sourceLocation)
        #expect(size == bytes.count, comment, sourceLocation: sourceLocation)
        #expect(path.hasPrefix(content + "/accounts/"), comment, sourceLocation: sourceLocation)
        expectNothingPartial(comment, sourceLocation: sourceLocation)
    }

    func expectFailed(
        _ outcome: DownloadOutcome,
        _ reason: DownloadError.Reason,
        _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .failed(let error) = outcome else {
            Issue.record("\(outcome) \(comment ?? "")", sourceLocation: sourceLocation)
            return
        }
        #expect(error.reason == reason, comment, sourceLocation: sourceLocation)
        #expect(
            error.message.hasSuffix(".") || error.message.contains("run: "),
            comment,
            sourceLocation: sourceLocation
        )
        expectNothingPartial(comment, sourceLocation: sourceLocation)
        #expect(files(in: "accounts").isEmpty, comment, sourceLocation: sourceLocation)
    }

    /// Checks that the ranges start at or before the expected offsets, because bytes just before an interruption may be
    /// lost.
    func expect(_ ranges: [String?], _ expected: [String?], sourceLocation: SourceLocation = #_sourceLocation) {
        func starts(_ ranges: [String?]) -> [Int] {
            ranges.map { range in range.flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0 }
        }
        let isRight =
            ranges.map { $0 == nil } == expected.map { $0 == nil }
            && zip(starts(ranges), starts(expected)).allSatisfy { $0 <= $1 }
        #expect(isRight, "\(ranges) instead of \(expected)", sourceLocation: sourceLocation)
    }

    func expectOutcomeIsPublished(_ outcome: DownloadOutcome, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .published = outcome else {
            Issue.record("\(outcome)", sourceLocation: sourceLocation)
            return
        }
    }

    func expectNothingPartial(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(directory.snapshot(of: "content/partial").isEmpty, comment, sourceLocation: sourceLocation)
    }

    /// All paths except directories.
    func files(in name: String) -> [String: String] {
        directory.snapshot(of: "content/" + name).filter { $0.value != FileAttributeType.typeDirectory.rawValue }
    }
}

/// Deterministic pseudorandom bytes, with a period that is unlikely to coincide with other sizes.
func sampleBytes(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
    let block = Array(ServedBytes(seed: seed, length: min(count, 65_521)).block.readableBytesView)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
        bytes += block.prefix(count - bytes.count)
    }
    return bytes
}
