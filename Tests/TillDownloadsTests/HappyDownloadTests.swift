import ContentServer
import Foundation
import Testing
import TillDownloads
import TillEngine
import TillModel

@Suite("Undisturbed downloads")
struct HappyDownloadTests {
    static let lengths = [1, 2, 4095, 65_536, 1_048_576, 1_048_577, 5_000_000]

    @Test(arguments: lengths)
    func contentOfAServerIsPublishedCompleteAndCorrect(length: Int) async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(length)
            bench.server.put("/content", ServedBytes(bytes))
            bench.expectPublished(await bench.download(try bench.order(bytes)), bytes)
            #expect(bench.clock.sleeps.isEmpty)
        }
    }

    @Test(arguments: lengths)
    func contentOfAFileIsPublishedCompleteAndCorrect(length: Int) async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(length)
            try bench.directory.write("a file", bytes)
            let address = URL(filePath: bench.directory.path("a file")).absoluteString
            bench.expectPublished(await bench.download(try bench.order(bytes, address: address)), bytes)
            #expect(bench.directory.read("a file") == bytes, "the source stays as it is")
        }
    }

    @Test
    func fileNamesDoNotComeFromTheServer() async throws {
        try await DownloadBench.run { bench in
            let id = UUID()
            let bytes = sampleBytes(10)
            bench.server.put("/content", ServedBytes(bytes))
            let outcome = await bench.download(try bench.order(bytes, id: id))
            let account = DownloadBench.ownAccount
            let path = "\(bench.content)/accounts/\(account)/org.example.notes/\(id.uuidString.lowercased())/level.1"
            #expect(outcome == .published(path: path, size: 10))
        }
    }

    @Test
    func publishedContentIsRecognised() async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(100_000)
            bench.server.put("/content", ServedBytes(bytes))
            let order = try bench.order(bytes)
            let first = await bench.download(order)
            bench.expectPublished(first, bytes)
            #expect(await bench.download(order) == first)
            #expect(bench.server.requests.count == 1)
        }
    }

    @Test
    func aResponseWithoutLengthIsSufficient() async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(300_000)
            bench.server.put("/content", ServedBytes(bytes), Reply { $0.isChunked = true })
            bench.expectPublished(await bench.download(try bench.order(bytes)), bytes)
        }
    }

    @Test
    func redirectsAreFollowed() async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(1000)
            for step in 1...4 {
                let status = [301, 302, 303, 307, 308][step]
                bench.server.put("/\(step)", ServedBytes([]), .redirect(to: "/\(step + 1)", status: status))
            }
            bench.server.put("/content", ServedBytes([]), .redirect(to: bench.server.address("/1")))
            bench.server.put("/5", ServedBytes(bytes))
            bench.expectPublished(await bench.download(try bench.order(bytes)), bytes)
            #expect(bench.server.requests.count == 6)
        }
    }

    @Test
    func progressEndsAtTheLengthAndIsReportedAtMostTenTimesASecond() async throws {
        try await DownloadBench.run(clock: TestClock(step: .milliseconds(10))) { bench in
            let bytes = sampleBytes(4_000_000)
            bench.server.put("/content", ServedBytes(bytes), Reply { $0.chunkBytes = 1000 })
            let log = ProgressLog(bench.clock)
            let outcome = await bench.downloader.download(try bench.order(bytes)) { log.add($0) }
            bench.expectPublished(outcome, bytes)
            #expect(log.entries.count > 1)
            #expect(zip(log.entries, log.entries.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
            let gaps = zip(log.times, log.times.dropFirst()).map { $1 - $0 }
            #expect(gaps.allSatisfy { $0 >= .milliseconds(90) }, "\(gaps)")
        }
    }
}
