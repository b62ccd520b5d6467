import ContentServer
import NIOConcurrencyHelpers
import Testing
import TillEngine

@testable import TillDownloads

@Suite("The pace of downloads")
struct PacingTests {
    @Test
    func theWaitDoublesUpToTheMaximum() {
        var backoff = Backoff()
        #expect((0..<8).map { _ in backoff.wait() } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        backoff.reset()
        #expect(backoff.wait() == .seconds(1))
    }

    @Test
    func aRequestedDelayCanOnlyProlongTheBackoff() {
        var backoff = Backoff()
        #expect(backoff.wait(asked: .seconds(10)) == .seconds(10))
        #expect(backoff.wait(asked: .zero) == .seconds(2))
        #expect(backoff.wait(asked: .seconds(3600)) == .seconds(60))
    }

    @Test
    func progressIsReportedAtMostTenTimesASecond() {
        var meter = ProgressMeter(length: 1_000_000, received: 0, elapsed: .zero)
        let told = (0..<1000).filter { meter.update(received: Int64($0), elapsed: .milliseconds($0)) != nil }
        #expect(told == Array(stride(from: 0, to: 1000, by: 100)))
    }

    @Test
    func theTimeRemainingIsUnknownAtFirstAndThenFollowsTheRate() throws {
        var meter = ProgressMeter(length: 10_000, received: 1000, elapsed: .seconds(50))
        for step in 0..<10 {
            let update = meter.update(
                received: Int64(1000 + step * 100),
                elapsed: .seconds(50) + .milliseconds(step * 100)
            )
            #expect(try #require(update).timeRemaining == nil)
        }
        // 1,000 bytes per second, and 8,000 bytes remaining.
        let latest = meter.update(received: 2000, elapsed: .seconds(51))
        let update = try #require(latest)
        let remaining = try #require(update.timeRemaining)
        #expect(abs(remaining / .seconds(1) - 8) < 0.1)
    }

    @Test
    func anInitialBurstHasLittleEffectOnTheRate() throws {
        var meter = ProgressMeter(length: 8_000_000, received: 0, elapsed: .zero)
        _ = meter.update(received: 100_000, elapsed: .milliseconds(1))
        var last: DownloadProgress?
        for step in 1...20 {
            last = meter.update(received: Int64(100_000 + step * 10_000), elapsed: .milliseconds(1 + step * 100))
        }
        // 300,000 bytes in two seconds: 51 seconds for the rest.
        let remaining = try #require(last?.timeRemaining)
        #expect(abs(remaining / .seconds(1) - 51) < 2)
    }

    @Test
    func theTimeRemainingIsUnknownWithoutReceivedBytes() throws {
        var meter = ProgressMeter(length: 10_000, received: 0, elapsed: .zero)
        for step in 0..<20 {
            let latest = meter.update(received: 0, elapsed: .seconds(step))
            let update = try #require(latest)
            #expect(update.timeRemaining == nil)
        }
    }

    @Test
    func allDownloadsTogetherKeepWithinTheBandwidth() async throws {
        let clock = TestClock()
        let limit = BandwidthLimit(bytesPerSecond: 100_000, clock: clock)
        for _ in 0..<50 {
            try await limit.pay(for: 10_000)
        }
        // Half a megabyte takes five seconds; the bytes of the first tenth of a second may arrive at once.
        #expect(clock.now.offset >= .milliseconds(4850))
        #expect(clock.now.offset <= .milliseconds(5050))
    }

    @Test
    func aPauseIsNotFollowedByABurst() async throws {
        let clock = TestClock()
        let limit = BandwidthLimit(bytesPerSecond: 100_000, clock: clock)
        clock.advance(by: .seconds(3600))
        try await limit.pay(for: 100_000)
        #expect(clock.sleeps == [.milliseconds(900)])
    }

    @Test
    func theBandwidthHasAMinimum() async throws {
        let clock = TestClock()
        try await BandwidthLimit(bytesPerSecond: 1, clock: clock).pay(for: DownloaderConfiguration.bandwidthMinimum)
        #expect(clock.now.offset <= .seconds(1))
    }

    @Test
    func aLimitedDownloadTakesItsTime() async throws {
        try await DownloadBench.run(configure: { $0.bandwidth = 1_000_000 }) { bench in
            let bytes = sampleBytes(3_000_000)
            bench.server.put("/content", ServedBytes(bytes))
            bench.expectPublished(await bench.download(try bench.order(bytes)), bytes)
            #expect(bench.clock.now.offset >= .milliseconds(2850))
            #expect(bench.clock.now.offset <= .milliseconds(3100))
        }
    }

    @Test
    func callersBeyondTheLimitWaitInOrder() async throws {
        let semaphore = AsyncSemaphore(2)
        let most = NIOLockedValueBox((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await semaphore.withPermit {
                        most.withLockedValue { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        most.withLockedValue { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(most.withLockedValue { $0 } == (0, 2))
    }

    @Test
    func cancelledCallersLeaveTheQueue() async throws {
        let semaphore = AsyncSemaphore(1)
        let (holds, held) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await semaphore.withPermit {
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // Starts immediately, so that it is queued when it is cancelled.
                    group.addImmediateTask { try await semaphore.withPermit {} }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
            held.finish()
            for await _ in holds {}
        }
        #expect(try await semaphore.withPermit { 7 } == 7, "the permit is free again")
    }

    @Test
    func concurrentConnectionsAreLimited() async throws {
        try await DownloadBench.run(configure: { $0.concurrentMaximum = 2 }) { bench in
            let bytes = sampleBytes(200_000)
            bench.server.put("/content", ServedBytes(bytes))
            let most = NIOLockedValueBox(0)
            try await withThrowingTaskGroup(of: DownloadOutcome.self) { group in
                for _ in 0..<12 {
                    let order = try bench.order(bytes)
                    group.addTask {
                        await bench.downloader.download(order) { _ in
                            let count = bench.server.openConnectionCount
                            most.withLockedValue { $0 = max($0, count) }
                        }
                    }
                }
                for try await outcome in group {
                    bench.expectOutcomeIsPublished(outcome)
                }
            }
            #expect((1...2).contains(most.withLockedValue { $0 }))
        }
    }
}
