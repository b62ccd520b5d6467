import ContentServer
import Foundation
import Testing
import TillEngine
import TillModel

@testable import TillDownloads

@Suite("Stopped and resumed downloads")
struct ResumeTests {
    private static let length = 3_000_000

    private static func names(_ order: ContentOrder) -> DownloadNames { DownloadNames(order.id) }

    /// A bench whose clock advances with each reading, so that progress is reported often.
    private static func run(_ body: (DownloadBench) async throws -> Void) async throws {
        try await DownloadBench.run(clock: TestClock(step: .milliseconds(100)), body)
    }

    @Test
    func aStoppedDownloadKeepsItsPartAndResumes() async throws {
        try await Self.run { bench in
            let bytes = sampleBytes(Self.length)
            let order = try bench.order(bytes)
            bench.server.put("/content", ServedBytes(bytes), Reply { $0.stallAfter = 1_500_000 }, .good)
            let stopped = await bench.download(order, stoppingAt: 1_000_000)
            guard case .stopped(let received) = stopped else {
                Issue.record("\(stopped)")
                return
            }
            #expect(received >= 1_000_000 && received <= 1_500_000)
            #expect(bench.directory.read("content/partial/" + Self.names(order).part)?.count == Int(received))
            bench.expectPublished(await bench.download(order), bytes)
            #expect(bench.server.requests.last?.range == "bytes=\(received)-")
        }
    }

    @Test
    func repeatedStopsAtAnyByteStillResultInTheCompleteContent() async throws {
        try await Self.run { bench in
            for round in 0..<40 {
                let bytes = sampleBytes(Self.length, seed: UInt64(round))
                let order = try bench.order(bytes)
                let replies = (0..<20).map { _ in
                    Reply {
                        $0.cutAfter = Int.random(in: 1...800_000)
                        $0.chunkBytes = Int.random(in: 1000...100_000)
                    }
                }
                bench.server.put("/content", ServedBytes(bytes), replies: replies + [.good])
                var outcome = DownloadOutcome.stopped(receivedBytes: 0)
                var tries = 0
                while case .stopped(let received) = outcome, tries < 200 {
                    tries += 1
                    // Between two steps the daemon may also crash, and another one continues.
                    outcome = await bench.download(order, stoppingAt: received + .random(in: 1...400_000))
                }
                bench.expectPublished(outcome, bytes, "round \(round)")
                await bench.downloader.remove(order.id, of: order.queue)
                #expect(bench.files(in: "").isEmpty)
            }
        }
    }

    @Test
    func aStoppedFileCopyResumes() async throws {
        try await Self.run { bench in
            let bytes = sampleBytes(Self.length)
            try bench.directory.write("file", bytes)
            let order = try bench.order(bytes, address: URL(filePath: bench.directory.path("file")).absoluteString)
            guard case .stopped(let received) = await bench.download(order, stoppingAt: 1) else {
                // The download ended before it could be stopped.
                return
            }
            #expect(received > 0)
            bench.expectPublished(await bench.download(order), bytes)
        }
    }

    /// Files that a crash or another program may have left.
    private static let damages: [(String, @Sendable (_ part: String, _ origin: String) throws -> Void)] = [
        ("the part is gone", { part, _ in try FileManager.default.removeItem(atPath: part) }),
        ("the origin is gone", { _, origin in try FileManager.default.removeItem(atPath: origin) }),
        ("the origin is empty", { _, origin in try Data().write(to: URL(filePath: origin)) }),
        ("the origin is nonsense", { _, origin in try Data([0xff, 10, 10, 10]).write(to: URL(filePath: origin)) }),
        ("the origin is endless", { _, origin in try Data(count: 1 << 20).write(to: URL(filePath: origin)) }),
        ("the part is empty", { part, _ in try Data().write(to: URL(filePath: part)) }),
        ("the part is zeros", { part, _ in try Data(count: 500_000).write(to: URL(filePath: part)) }),
        ("the part is too long", { part, _ in try Data(count: 3_000_001).write(to: URL(filePath: part)) }),
        (
            "the part is as long as the whole, and wrong",
            { part, _ in try Data(count: 3_000_000).write(to: URL(filePath: part)) }
        ),
        (
            "the part is a link",
            { part, _ in
                try FileManager.default.removeItem(atPath: part)
                try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "/dev/null")
            }
        ),
        (
            "the part is a directory",
            { part, _ in
                try FileManager.default.removeItem(atPath: part)
                try FileManager.default.createDirectory(atPath: part + "/x", withIntermediateDirectories: true)
            }
        ),
        (
            "the part cannot be written",
            { part, _ in
                try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: part)
            }
        ),
        (
            "an unpacked directory is left",
            { part, _ in
                let fresh = part.replacing(".part", with: ".new")
                try FileManager.default.createDirectory(atPath: fresh + "/level.1/x", withIntermediateDirectories: true)
            }
        ),
    ]

    @Test(arguments: 0..<13)
    func theDownloadCompletesWhateverFilesRemain(number: Int) async throws {
        let (name, damage) = Self.damages[number]
        try await Self.run { bench in
            let bytes = sampleBytes(Self.length)
            let order = try bench.order(bytes)
            bench.server.put("/content", ServedBytes(bytes), Reply { $0.stallAfter = 600_000 }, .good)
            _ = await bench.download(order, stoppingAt: 1)
            let partial = bench.content + "/partial/"
            try damage(partial + Self.names(order).part, partial + Self.names(order).origin)
            bench.expectPublished(await bench.download(order), bytes, "\(name)")
        }
    }

    @Test
    func aPartOfOtherContentIsNotUsed() async throws {
        try await Self.run { bench in
            let old = sampleBytes(Self.length, seed: 1)
            let new = sampleBytes(Self.length, seed: 2)
            let id = UUID()
            bench.server.put("/content", ServedBytes(old), Reply { $0.stallAfter = 600_000 })
            _ = await bench.download(try bench.order(old, id: id), stoppingAt: 1)
            bench.server.put("/content", ServedBytes(new), .good)
            bench.expectPublished(await bench.download(try bench.order(new, id: id)), new)
            #expect(bench.server.requests.map(\.range) == [nil, nil])
        }
    }

    @Test
    func aWaitingDownloadStopsImmediately() async throws {
        try await DownloadBench.run(
            clock: TestClock(step: .milliseconds(100)),
            configure: { $0.concurrentMaximum = 1 }
        ) { bench in
            let bytes = sampleBytes(Self.length)
            bench.server.put("/content", ServedBytes(bytes), Reply { $0.stallAfter = 600_000 })
            let first = try bench.order(bytes)
            let second = try bench.order(bytes)
            let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            await withTaskGroup(of: DownloadOutcome.self) { group in
                group.addTask { await bench.downloader.download(first) { _ in arrived.finish() } }
                for await _ in arrivals {}
                // Starts immediately, so that it is waiting when it is cancelled.
                group.addImmediateTask { await bench.download(second) }
                group.cancelAll()
                for await outcome in group {
                    guard case .stopped = outcome else {
                        Issue.record("\(outcome)")
                        continue
                    }
                }
            }
            #expect(bench.server.requests.count == 1)
        }
    }
}
