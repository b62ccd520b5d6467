import DequeModule
import FoundationEssentials
import NIOConcurrencyHelpers
import TillMetrics
import TillModel

/// A provider with a time limit for its answers, ``answerMaximum``: after that the outcome is unknown, as after any other
/// time-out.
///
/// A call for a charge or refund that takes longer is not cancelled, because its effect may still come. Until it ends, no
/// other call carries out the same charge or refund, but queries about it may. So there is at most one such call for each
/// open charge and refund, however long the provider takes.
///
/// No answer has the character U+0000, which not every ledger can keep: see ``ProviderAnswer/storable``.
final class BoundedProvider: Sendable {
    /// Below the time that a daemon has to stop in.
    static let answerMaximum = Duration.seconds(15)

    private struct Call: Sendable {
        var perform: @Sendable () async -> Void
        /// Answers in place of a provider that did not.
        var giveUp: @Sendable () -> Void
        /// Whether the call is cancelled when nobody waits for its answer any more.
        var isQuestion: Bool
    }

    private struct State {
        /// Calls whose callers still wait.
        var calls: Deque<Call> = []
        var hasEnded = false
        /// Charges and refunds that a call is carrying out.
        var underWay: Set<UUID> = []
    }

    private let provider: any PaymentProvider
    private let time: any TimeSource
    private let metrics: EngineMetrics
    private let state = NIOLockedValueBox(State())
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ provider: any PaymentProvider, time: any TimeSource, metrics: EngineMetrics = .shared) {
        self.provider = provider
        self.time = time
        self.metrics = metrics
    }

    /// Carries out calls until the task is cancelled or the provider fails. No call is answered unless this runs.
    func run() async throws {
        defer { end() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.provider.run() }
            group.addTask { await self.runCalls() }
            for try await _ in group {}
        }
    }

    var preparesCharges: Bool {
        provider.preparesCharges
    }

    /// A preparation that takes too long is cancelled: it moves no money.
    func prepare(_ request: ChargeRequest, renewing previous: String?) async -> Preparation {
        await ask(.prepare, orElse: .unknown(reason: Self.silence)) {
            await self.provider.prepare(request, renewing: previous)
        }
    }

    /// - Parameter isTooLate: Asked right before the provider is called, because the machine may sleep after any decision.
    ///   If it is too late, the provider is not called, and the outcome is unknown.
    func charge(
        _ request: ChargeRequest,
        by reference: String,
        unless isTooLate: @escaping @Sendable () -> Bool
    ) async -> ChargeOutcome {
        await carryOut(.charge, request.paymentID, unless: isTooLate) {
            await self.provider.charge(request, by: reference)
        }
    }

    func query(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        await ask(.query, orElse: .unreachable(reason: Self.silence)) {
            await self.provider.query(request, by: reference)
        }
    }

    func payerPage(_ request: ChargeRequest, by reference: String) async throws(TillError) -> String {
        try await askOrFail(.payerPage) { () throws(TillError) in
            try await self.provider.payerPage(request, by: reference)
        }
    }

    func news(after cursor: String?) async throws(TillError) -> ProviderNews? {
        try await askOrFail(.news) { () throws(TillError) in try await self.provider.news(after: cursor) }
    }

    func withdraw(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        await ask(.withdraw, orElse: .unreachable(reason: Self.silence)) {
            await self.provider.withdraw(request, by: reference)
        }
    }

    /// - Parameter isTooLate: As for a charge.
    func refund(_ request: ProviderRefundRequest, unless isTooLate: @escaping @Sendable () -> Bool) async
        -> ChargeOutcome
    {
        await carryOut(.refund, request.refundID, unless: isTooLate) { await self.provider.refund(request) }
    }

    func queryRefund(_ request: ProviderRefundRequest) async -> ChargeStatus {
        await ask(.queryRefund, orElse: .unreachable(reason: Self.silence)) {
            await self.provider.queryRefund(request)
        }
    }

    func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        try await askOrFail(.record) { () throws(TillError) in try await self.provider.record(after: cursor) }
    }

    func discard(_ prepared: PreparedCharge) async throws(TillError) {
        try await askOrFail(.discard) { () throws(TillError) in try await self.provider.discard(prepared) }
    }

    func paymentMethods(ofPayment reference: String) async throws(TillError) -> [PaymentMethod] {
        let keeper = try paymentMethodProvider()
        return try await askOrFail(.paymentMethods) { () throws(TillError) in
            try await keeper.paymentMethods(ofPayment: reference)
        }
    }

    func removePaymentMethod(_ id: String, ofPayment reference: String) async throws(TillError) {
        let keeper = try paymentMethodProvider()
        try await askOrFail(.removePaymentMethod) { () throws(TillError) in
            try await keeper.removePaymentMethod(id, ofPayment: reference)
        }
    }

    func paymentMethodPage(_ task: PaymentMethodTask, ofPayment reference: String) async throws(TillError) -> String {
        let keeper = try paymentMethodProvider()
        return try await askOrFail(.paymentMethodPage) { () throws(TillError) in
            try await keeper.paymentMethodPage(task, ofPayment: reference)
        }
    }

    private func paymentMethodProvider() throws(TillError) -> any PaymentMethodProvider {
        guard let keeper = provider as? any PaymentMethodProvider else {
            throw TillError(.failedPrecondition, "The provider keeps no payment methods.")
        }
        return keeper
    }

    func authorizeRestore(application: String, account: String) async -> PaymentError? {
        let silent = PaymentError(
            .cloudServiceNetworkConnectionFailed,
            "The provider did not answer in time; restore again later.",
            reason: .unreachable
        )
        return await ask(.authorizeRestore, orElse: silent) {
            await self.provider.authorizeRestore(application: application, account: account)
        }
    }

    private static let silence = "the provider did not answer in time"

    /// Asks a question that fails with `unavailable` if the provider does not answer in time.
    private func askOrFail<Answer: Sendable>(
        _ kind: ProviderMethod,
        _ question: @escaping @Sendable () async throws(TillError) -> Answer
    ) async throws(TillError) -> Answer {
        let silence = TillError(.unavailable, "The provider did not answer in time; try again later.")
        let answer: Result<Answer, TillError> = await ask(kind, orElse: .failure(silence)) {
            do throws(TillError) {
                return .success(try await question())
            } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }

    private func carryOut(
        _ kind: ProviderMethod,
        _ id: UUID,
        unless isTooLate: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable () async -> ChargeOutcome
    ) async -> ChargeOutcome {
        guard state.withLockedValue({ $0.underWay.insert(id).inserted }) else {
            return .unknown(reason: "the provider has not answered an earlier call for it")
        }
        return await call(kind, orElse: .unknown(reason: Self.silence), isQuestion: false) {
            defer { self.state.withLockedValue { _ = $0.underWay.remove(id) } }
            guard !isTooLate() else {
                return .unknown(reason: "the call came so late that the provider may have forgotten an earlier one")
            }
            return await body()
        }
    }

    private func ask<Answer: ProviderAnswer & Sendable>(
        _ kind: ProviderMethod,
        orElse none: Answer,
        _ body: @escaping @Sendable () async -> Answer
    ) async -> Answer {
        await call(kind, orElse: none, isQuestion: true, body)
    }

    /// - Parameter none: What to answer when the provider has not answered in time.
    private func call<Answer: ProviderAnswer & Sendable>(
        _ kind: ProviderMethod,
        orElse none: Answer,
        isQuestion: Bool,
        _ body: @escaping @Sendable () async -> Answer
    ) async -> Answer {
        let begun = ContinuousClock.now
        return await withCheckedContinuation { continuation in
            let waiting = NIOLockedValueBox<CheckedContinuation<Answer, Never>?>(continuation)
            let end: @Sendable (Answer, ProviderOutcome) -> Void = { answer, outcome in
                let continuation = waiting.withLockedValue { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                if let continuation {
                    self.metrics.called(kind, outcome, .now - begun)
                    continuation.resume(returning: answer)
                }
            }
            let call = Call(
                perform: {
                    let answer = await body().storable
                    end(answer, answer.outcome)
                },
                giveUp: { end(none, .timedOut) },
                isQuestion: isQuestion
            )
            let isTaken = state.withLockedValue { state in
                if !state.hasEnded {
                    state.calls.append(call)
                }
                return !state.hasEnded
            }
            if isTaken {
                wake.continuation.yield()
            } else {
                call.giveUp()
            }
        }
    }

    private func runCalls() async {
        await withDiscardingTaskGroup { group in
            for await _ in wake.stream {
                let calls = state.withLockedValue { state in
                    defer { state.calls = [] }
                    return state.calls
                }
                for call in calls {
                    group.addTask { await self.run(call) }
                }
            }
        }
    }

    private func run(_ call: Call) async {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await call.perform()
                return true
            }
            group.addTask {
                try? await self.time.sleep(for: Self.answerMaximum)
                call.giveUp()
                return false
            }
            let isAnswered = await group.next() ?? true
            if isAnswered || call.isQuestion {
                group.cancelAll()
            }
        }
    }

    /// Answers all waiting callers: no more calls are carried out.
    private func end() {
        let calls = state.withLockedValue { state in
            state.hasEnded = true
            defer { state.calls = [] }
            return state.calls
        }
        calls.forEach { $0.giveUp() }
    }
}
