import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillMetrics
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct EngineMetricsTests {
    private let registry = MetricsRegistry()

    private func value(_ name: String, _ labels: String...) -> Double? {
        registry.families.samples.first { $0.name == name && $0.labels.map(\.value) == labels }?.value
    }

    @Test func everySeriesBeginsAtZero() {
        _ = EngineMetrics(factory: registry)
        let samples = registry.families.samples
        let outcomes = ProviderMethod.allCases.reduce(0) { $0 + $1.outcomes.count }
        #expect(samples.count { $0.name == Metric.providerCalls.name } == outcomes)
        #expect(samples.allSatisfy { $0.value == 0 })
        #expect(value(Metric.droppedRecords.name) == 0, "all are in the table")
    }

    @Test func aCommitCountsItsCommandsAndItsTime() async throws {
        let commits = GroupCommit(
            ledger: MemoryLedger(),
            time: VirtualTime(),
            metrics: EngineMetrics(factory: registry),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in }
        let answers = NIOLockedValueBox(0)
        for _ in 0..<3 {
            commits.submit(isOwn: false) { _ in
                .success(())
            } then: { (_: Result<Void, TillError>) in
                answers.withLockedValue { $0 += 1 }
            }
        }
        commits.stop()
        try await commits.run()
        #expect(answers.withLockedValue { $0 } == 3)
        #expect(value("till_commit_commands_count") == 1)
        #expect(value("till_commit_commands_sum") == 3)
        #expect(value("till_commit_duration_seconds_count") == 1)
    }

    @Test func refusedCommandsAreCountedWithTheReason() {
        let commits = GroupCommit(
            ledger: MemoryLedger(),
            time: VirtualTime(),
            metrics: EngineMetrics(factory: registry),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in }
        for _ in 0..<GroupCommit.waitingMaximum + 2 {
            commits.submit(isOwn: false) { _ in
                .success(())
            } then: { (_: Result<Void, TillError>) in
            }
        }
        #expect(value(Metric.refusedCommands.name, "waiting_maximum") == 2)
        commits.abandon()
        commits.submit(isOwn: true) { _ in
            .success(())
        } then: { (_: Result<Void, TillError>) in
        }
        #expect(value(Metric.refusedCommands.name, "stopped") == 1)
        #expect(value(Metric.refusedCommands.name, "late_flush") == 0)
    }

    @Test(arguments: [
        (ChargeOutcome.succeeded(reference: "r"), ProviderOutcome.succeeded),
        (.declined(PaymentError(.unknown, "no")), .declined),
        (.unknown(reason: "r"), .unknown), (.busy(.seconds(1)), .busy), (.payerAction, .payerAction),
        (.pending, .pending),
    ])
    func eachOutcomeOfAChargeHasItsLabel(_ outcome: ChargeOutcome, _ label: ProviderOutcome) {
        #expect(outcome.outcome == label)
        #expect(ChargeStatus.settled(outcome).outcome == label)
        #expect(ProviderMethod.charge.outcomes.contains(label))
        #expect(ProviderMethod.query.outcomes.contains(label))
    }

    @Test(arguments: ProviderMethod.allCases)
    func everyMethodCanTimeOut(_ method: ProviderMethod) {
        #expect(method.outcomes.contains(.timedOut))
    }

    @Test func aCallIsCountedOnceWithItsOutcome() async throws {
        let provider = BoundedProvider(
            ScriptedProvider(),
            time: VirtualTime(),
            metrics: EngineMetrics(factory: registry)
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await provider.run() }
            _ = try await provider.news(after: nil)
            group.cancelAll()
        }
        // Nobody answers it any more.
        _ = await provider.authorizeRestore(application: "org.example.notes", account: "uid:1000")
        #expect(value(Metric.providerCalls.name, "news", "succeeded") == 1)
        #expect(value(Metric.providerCalls.name, "authorize_restore", "timed_out") == 1)
        #expect(value("till_provider_call_duration_seconds_count", "news") == 1)
        let calls = registry.families.samples.filter { $0.name == Metric.providerCalls.name }
        #expect(calls.reduce(0) { $0 + $1.value } == 2)
    }
}
