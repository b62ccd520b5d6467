import Foundation
import NIOConcurrencyHelpers
import Testing
import TillClient
import TillModel

@Suite struct ConnectorTests {
    /// The delay before the attempt that follows one which ended with an error.
    @Test(arguments: [false, true])
    func onlyAFailedAttemptDelaysTheNextOne(isCancelled: Bool) async throws {
        let clock = RecordingClock()
        let (started, start) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (blocked, end) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        defer { end.finish() }
        let wasTried = NIOLockedValueBox(false)
        let connector = Connector(socketPath: "socket", clock: clock, random: SystemRandomNumberGenerator()) {
            (_) async throws(TillError) in
            let isFirst = wasTried.withLockedValue { wasTried in
                defer { wasTried = true }
                return !wasTried
            }
            guard isFirst else {
                return SampleSession()
            }
            if isCancelled {
                start.yield()
                _ = await blocked.first { _ in true }
            }
            throw TillError(isCancelled ? .cancelled : .permissionDenied, "The first attempt ends.")
        }
        let first = Task { try await connector.session(until: clock.now + .seconds(60)) }
        if isCancelled {
            _ = await started.first { _ in true }
            first.cancel()
        }
        await #expect(throws: TillError.self) { try await first.value }
        _ = try await connector.session(until: clock.now + .seconds(60))
        let delays = clock.delays.withLockedValue { $0 }
        #expect(delays.count == 2 && delays[0] <= .zero)
        #expect(delays.last.map { $0 > .zero } == !isCancelled)
    }

    /// A call long after the daemon was last missing does not wait out a delay that has passed.
    @Test func theDelayCountsFromTheFailure() async throws {
        let clock = RecordingClock()
        let isServing = NIOLockedValueBox(false)
        let connector = Connector(socketPath: "socket", clock: clock, random: SystemRandomNumberGenerator()) {
            (_) async throws(TillError) in
            guard isServing.withLockedValue({ $0 }) else {
                throw TillError(.unavailable, "No daemon answers.")
            }
            return SampleSession()
        }
        for _ in 0..<10 {
            await #expect(throws: TillError.self) { try await connector.session(until: clock.now) }
        }
        isServing.withLockedValue { $0 = true }
        clock.elapsed.withLockedValue { $0 = .seconds(60) }
        _ = try await connector.session(until: clock.now + .seconds(60))
        let delay = try #require(clock.delays.withLockedValue { $0.last })
        #expect(delay <= .zero)
    }
}

private final class SampleSession: ConnectorSession {
    let ledgerID = UUID()
    let age = Duration.zero

    func close() {}
}

/// A clock that stands still unless it is set. Its sleeps are recorded and return at once.
private struct RecordingClock: Clock {
    private let start = ContinuousClock.now
    let delays = NIOLockedValueBox<[Duration]>([])
    let elapsed = NIOLockedValueBox(Duration.zero)

    var now: ContinuousClock.Instant { start + elapsed.withLockedValue { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        delays.withLockedValue { $0.append(deadline - now) }
    }
}
