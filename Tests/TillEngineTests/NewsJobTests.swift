import FoundationEssentials
import Logging
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// When the provider is asked for news.
@Suite(.timeLimit(.minutes(5))) struct NewsJobTests {
    /// The interval of a daemon that receives webhooks.
    private static let interval = 600.0

    private static func with(
        _ body: @escaping @Sendable (EngineHarness, PreparingProvider) async throws -> Void
    ) async throws {
        let provider = PreparingProvider(hasNews: true)
        let configure = { (configuration: inout EngineConfiguration) in
            configuration.newsInterval = .seconds(Int(interval))
        }
        try await EngineHarness(preparing: provider, configure: configure).run { harness in
            try await harness.rounds(1, provider)
            try await body(harness, provider)
        }
    }

    // The exact time of a round depends on when the engine begins to wait, so that only the kind of wait is compared.
    private static let regular = interval..<(2 * interval)
    private static let soon = 60.0..<interval
    private static let atOnce = 0.0..<60

    @Test func withoutARingTheProviderIsAskedRegularly() async throws {
        try await Self.with { harness, provider in
            try await harness.expectRound(2, provider, after: Self.regular)
            try await harness.expectRound(3, provider, after: Self.regular)
        }
    }

    /// As an operator advances the clock of the simulated store, or as a machine was suspended.
    @Test func aClockThatIsAdvancedBringsTheNextRound() async throws {
        try await Self.with { harness, provider in
            for _ in 0..<20 {
                try await harness.letJobsRun()
            }
            harness.time.advance(by: Self.interval + 1)
            try await harness.rounds(2, provider)
        }
    }

    @Test func aRingIsFollowedAtOnce() async throws {
        try await Self.with { harness, provider in
            harness.engine.askForNews()
            try await harness.expectRound(2, provider, after: Self.atOnce)
            // What the provider lists a little later than it rings is found soon.
            try await harness.expectRound(3, provider, after: Self.soon)
            try await harness.expectRound(4, provider, after: Self.regular)
        }
    }

    /// Rings during the pause after a round are one round.
    @Test func manyRingsAreFewRounds() async throws {
        try await Self.with { harness, provider in
            for _ in 0..<100 {
                harness.engine.askForNews()
                try await harness.letJobsRun()
            }
            #expect(provider.newsCount == 1)
            try await harness.expectRound(2, provider, after: 5..<60)
            try await harness.expectRound(3, provider, after: Self.soon)
        }
    }

    @Test func aRingDuringARoundIsNotLost() async throws {
        let provider = PreparingProvider(hasNews: true)
        provider.newsGate.close()
        try await EngineHarness(preparing: provider, configure: { $0.newsInterval = .seconds(600) }).run { harness in
            await provider.newsGate.arrival()
            harness.engine.askForNews()
            provider.newsGate.open()
            try await harness.expectRound(2, provider, after: Self.atOnce)
        }
    }

    /// After a long round, rings wait for longer, so that reading is not all that the daemon does.
    @Test func aRingWaitsForTenTimesTheRound() async throws {
        let provider = PreparingProvider(hasNews: true)
        provider.newsGate.close()
        try await EngineHarness(preparing: provider, configure: { $0.newsInterval = .seconds(600) }).run { harness in
            await provider.newsGate.arrival()
            harness.time.advance(by: 30)
            harness.engine.askForNews()
            provider.newsGate.open()
            try await harness.expectRound(2, provider, after: 300..<600)
        }
    }

    /// What rang must not wait for the next regular round because of a failure.
    @Test func aFailedRoundIsRepeatedSoon() async throws {
        try await Self.with { harness, provider in
            provider.setNewsReadable(false)
            try await harness.expectRound(2, provider, after: Self.regular)
            try await harness.expectRound(3, provider, after: Self.soon)
            provider.setNewsReadable(true)
            try await harness.expectRound(4, provider, after: Self.soon)
            try await harness.expectRound(5, provider, after: Self.regular)
        }
    }
}

extension EngineHarness {
    /// Lets the engine's tasks run until they wait.
    func letJobsRun() async throws {
        for _ in 0..<20 {
            try await Task.yieldUnlessCancelled()
        }
    }

    /// Returns once the provider was asked for news so often.
    fileprivate func rounds(_ count: Int, _ provider: PreparingProvider) async throws {
        while provider.newsCount < count {
            try await Task.yieldUnlessCancelled()
        }
    }

    /// Advances the clock second by second until the provider is asked for news, and checks how many seconds that took.
    fileprivate func expectRound(
        _ count: Int,
        _ provider: PreparingProvider,
        after range: Range<Double>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let began = time.now()
        while provider.newsCount < count {
            try await letJobsRun()
            guard provider.newsCount < count else {
                break
            }
            time.advance(by: 1)
        }
        let seconds = time.now().timeIntervalSince(began)
        #expect(range.contains(seconds), "\(seconds)", sourceLocation: sourceLocation)
    }
}
