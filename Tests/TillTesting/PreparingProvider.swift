import NIOConcurrencyHelpers
package import TillEngine
package import TillModel

/// A provider that prepares charges, that a test controls, and that notes its calls.
package final class PreparingProvider: PaymentProvider {
    package enum Answer: Sendable {
        case succeed, decline, timeOutBefore, timeOutAfter, busy, payerAction, pending
    }

    private struct Prepared {
        var request: ChargeRequest
        /// Nil until it is charged, declined or withdrawn.
        var outcome: ChargeOutcome?
        /// What it waits for, once it was to be charged.
        var wait: ChargeOutcome?
    }

    private struct State {
        var preparations: [Answer] = []
        var charges: [Answer] = []
        var isReachable = true
        /// By reference.
        var prepared: [String: Prepared] = [:]
        var calls: [String] = []
        /// What the engine has not been told yet, and how often it was told.
        var untold: (reversals: [ProviderReversal], methods: [PaymentMethodChange]) = ([], [])
        var tellings = 0
        /// How often the engine asked for news.
        var newsCount = 0
        var isNewsReadable = true

        mutating func next(_ answers: WritableKeyPath<State, [Answer]>) -> Answer {
            guard isReachable else {
                return .timeOutBefore
            }
            return self[keyPath: answers].isEmpty ? .succeed : self[keyPath: answers].removeFirst()
        }
    }

    private static let pause = Duration.seconds(7)

    private let state = NIOLockedValueBox(State())
    private let check = NIOLockedValueBox<(@Sendable (ChargeRequest, String) async -> Void)?>(nil)
    private let preparationCheck = NIOLockedValueBox<(@Sendable (ChargeRequest) async -> Void)?>(nil)

    package let payerDeadline: Duration?
    /// What each query, and each withdrawal after its effect, passes before it is answered.
    package let queries = Gate(isOpen: true)
    package let withdrawals = Gate(isOpen: true)

    /// What each question for news passes before it is answered.
    package let newsGate = Gate(isOpen: true)

    private let hasNews: Bool

    package init(asksPayer: Bool = false, hasNews: Bool = false) {
        self.hasNews = hasNews
        payerDeadline = asksPayer ? .seconds(3600) : nil
    }

    /// Sets the answers to the next preparations. Later ones succeed.
    package func scriptPreparations(_ answers: [Answer]) {
        state.withLockedValue { $0.preparations = answers }
    }

    /// Sets the answers to the next charges. Later ones succeed.
    package func scriptCharges(_ answers: [Answer]) {
        state.withLockedValue { $0.charges = answers }
    }

    /// How often the engine asked for news.
    package var newsCount: Int {
        state.withLockedValue { $0.newsCount }
    }

    package func setNewsReadable(_ isReadable: Bool) {
        state.withLockedValue { $0.isNewsReadable = isReadable }
    }

    package func setReachable(_ isReachable: Bool) {
        state.withLockedValue { $0.isReachable = isReachable }
    }

    /// Sets the next news.
    ///
    /// - Returns: The cursor that they come with.
    package func tell(_ reversals: [ProviderReversal] = [], methods: [PaymentMethodChange] = []) -> String {
        state.withLockedValue { state in
            state.untold = (reversals, methods)
            state.tellings += 1
            return "news-\(state.tellings)"
        }
    }

    /// Ends the wait of a charge for its payer or its money, or begins another.
    package func settle(_ reference: String, _ answer: Answer) {
        state.withLockedValue { state in
            switch answer {
            case .payerAction: state.prepared[reference]?.wait = .payerAction
            case .pending: state.prepared[reference]?.wait = .pending
            case .decline: state.prepared[reference]?.outcome = Self.declined
            case .succeed, .timeOutBefore, .timeOutAfter, .busy:
                state.prepared[reference]?.outcome = .succeeded(reference: reference)
            }
        }
    }

    private static let declined = ChargeOutcome.declined(PaymentError(.unknown, "Declined."))

    /// Runs before each charge is carried out.
    package func beforeCharges(_ body: @escaping @Sendable (ChargeRequest, _ reference: String) async -> Void) {
        check.withLockedValue { $0 = body }
    }

    /// Runs before each request to prepare is carried out.
    package func beforePreparations(_ body: @escaping @Sendable (ChargeRequest) async -> Void) {
        preparationCheck.withLockedValue { $0 = body }
    }

    /// The calls in order, with the references.
    package var calls: [String] {
        state.withLockedValue { $0.calls }
    }

    /// The outcome of each prepared charge, by reference; nil while it has none.
    package var outcomes: [String: ChargeOutcome?] {
        state.withLockedValue { $0.prepared.mapValues(\.outcome) }
    }

    package var preparesCharges: Bool { true }

    package func prepare(_ request: ChargeRequest, renewing previous: String?) async -> Preparation {
        await preparationCheck.withLockedValue { $0 }?(request)
        return state.withLockedValue { state in
            state.calls.append("prepare")
            let answer = state.next(\.preparations)
            let reference = "prepared-\(state.prepared.count)"
            switch answer {
            case .succeed:
                state.prepared[reference] = Prepared(request: request)
                return .ready(reference: reference)
            case .timeOutAfter:
                state.prepared[reference] = Prepared(request: request)
                return .unknown(reason: "timed out")
            case .timeOutBefore, .payerAction, .pending:
                return .unknown(reason: "timed out")
            case .decline:
                return .declined(PaymentError(.unknown, "Declined."))
            case .busy:
                return .busy(Self.pause)
            }
        }
    }

    package func charge(_ request: ChargeRequest, by reference: String) async -> ChargeOutcome {
        await check.withLockedValue { $0 }?(request, reference)
        return state.withLockedValue { state in
            state.calls.append("charge \(reference)")
            let answer = state.next(\.charges)
            switch answer {
            case .busy:
                return .busy(Self.pause)
            case .timeOutBefore:
                return .unknown(reason: "timed out")
            case .payerAction, .pending:
                let wait: ChargeOutcome = answer == .pending ? .pending : .payerAction
                state.prepared[reference]?.wait = wait
                return wait
            case .succeed, .timeOutAfter, .decline:
                let made = answer == .decline ? Self.declined : .succeeded(reference: reference)
                guard state.prepared[reference]?.request == request else {
                    return .declined(PaymentError(.unknown, "The charge was not prepared."))
                }
                let outcome = state.prepared[reference]?.outcome ?? made
                state.prepared[reference]?.outcome = outcome
                return answer == .timeOutAfter ? .unknown(reason: "timed out") : outcome
            }
        }
    }

    package func query(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        state.withLockedValue { $0.calls.append("query \(reference)") }
        await queries.pass()
        return state.withLockedValue { state in
            guard state.isReachable else {
                return .unreachable(reason: "unreachable")
            }
            guard let prepared = state.prepared[reference] else {
                return .notFound
            }
            return (prepared.outcome ?? prepared.wait).map(ChargeStatus.settled) ?? .ready
        }
    }

    package func news(after cursor: String?) async throws(TillError) -> ProviderNews? {
        guard hasNews else {
            return nil
        }
        // Together, so that a test that has seen the count may change what comes next.
        let isReadable = state.withLockedValue { state in
            state.newsCount += 1
            return state.isNewsReadable
        }
        await newsGate.pass()
        guard isReadable else {
            throw TillError(.unavailable, "unreachable")
        }
        return state.withLockedValue { state in
            defer { state.untold = ([], []) }
            return ProviderNews(
                reversals: state.untold.reversals,
                methods: state.untold.methods,
                cursor: "news-\(state.tellings)",
                isMore: false
            )
        }
    }

    package func payerPage(_ request: ChargeRequest, by reference: String) async throws(TillError) -> String {
        let (isReachable, prepared) = state.withLockedValue { ($0.isReachable, $0.prepared[reference]) }
        guard isReachable else {
            throw TillError(.unavailable, "unreachable")
        }
        guard prepared?.outcome == nil, prepared?.wait == .payerAction else {
            throw TillError(.failedPrecondition, "no page")
        }
        return "https://pay.example/\(reference)"
    }

    package func withdraw(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        let status = state.withLockedValue { state -> ChargeStatus in
            state.calls.append("withdraw \(reference)")
            guard state.isReachable else {
                return .unreachable(reason: "unreachable")
            }
            if state.prepared[reference]?.outcome == nil, state.prepared[reference]?.wait == .pending {
                return .settled(.pending)
            }
            let withdrawn = ChargeOutcome.declined(PaymentError(.unknown, "Withdrawn."))
            let outcome = state.prepared[reference]?.outcome ?? withdrawn
            state.prepared[reference]?.outcome = outcome
            return .settled(outcome)
        }
        await withdrawals.pass()
        return status
    }

    package func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        .unknown(reason: "refunds are not scripted")
    }

    package func queryRefund(_ request: ProviderRefundRequest) async -> ChargeStatus {
        .notFound
    }

    package func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        state.withLockedValue { state in
            var page = ProviderRecordPage()
            for (reference, prepared) in state.prepared.sorted(by: { $0.key < $1.key }) {
                let request = prepared.request
                switch prepared.outcome {
                case nil:
                    page.prepared.append(PreparedCharge(paymentID: request.paymentID, reference: reference))
                case .succeeded:
                    page.charges.append(
                        ProviderCharge(
                            paymentID: request.paymentID,
                            amount: request.amount,
                            currency: request.currency,
                            reference: reference
                        )
                    )
                default:
                    break
                }
            }
            return page
        }
    }

    package func discard(_ prepared: PreparedCharge) async throws(TillError) {
        state.withLockedValue { state in
            state.calls.append("discard \(prepared.reference)")
            state.prepared[prepared.reference]?.outcome = Self.declined
        }
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        nil
    }
}
