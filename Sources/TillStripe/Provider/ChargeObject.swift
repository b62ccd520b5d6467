import FoundationEssentials
import TillEngine
import TillModel

/// The object at Stripe that a charge was prepared as.
struct ChargeObject: Hashable, Sendable {
    /// The kinds of objects, by the names that Stripe gives to them.
    enum Kind: Hashable, Sendable {
        case session, intent

        init(_ reference: String) {
            self = reference.hasPrefix("pi_") ? .intent : .session
        }
    }

    var id: String
    var paymentID: String?
    var finding: ChargeFinding
    /// What was paid, if it was.
    var paid: StripeAmount?

    init(_ session: CheckoutSession) {
        id = session.id
        paymentID = session.paymentID
        finding = session.finding
        paid = session.intent?.paid
    }

    init(_ intent: PaymentIntent) {
        id = intent.id
        paymentID = intent.metadata[Metadata.payment]
        finding = intent.finding
        paid = intent.paid
    }
}

/// The names of what Till notes on objects at Stripe.
enum Metadata {
    /// The payment's identity.
    static let payment = "till_payment"
    /// The ledger's identity.
    static let ledger = "till_ledger"
    /// The refund's identity.
    static let refund = "till_refund"

    /// The payment that an object is for; nil for one of another ledger or program.
    static func payment(_ metadata: [String: String], ofLedger ledger: UUID) -> UUID? {
        metadata[Self.ledger] == ledger.text ? metadata[payment].flatMap(UUID.init(uuidString:)) : nil
    }
}

extension PaymentIntent {
    fileprivate var paid: StripeAmount? {
        status == "succeeded" ? StripeAmount(amount: amountReceived, currency: currency) : nil
    }
}

extension StripeAPI {
    /// Reads the object of a charge.
    func object(_ reference: String) async throws(StripeFailure) -> ChargeObject {
        switch ChargeObject.Kind(reference) {
        case .session:
            return ChargeObject(try await session(reference))
        case .intent:
            return ChargeObject(try await send(.get("/v1/payment_intents/*", reference), as: PaymentIntent.self))
        }
    }

    func session(_ id: String) async throws(StripeFailure) -> CheckoutSession {
        try await send(.get("/v1/checkout/sessions/*", id, CheckoutSession.expansion), as: CheckoutSession.self)
    }

    /// Makes sure that the object can no longer be charged: expires a session, and cancels an intent.
    ///
    /// - Throws: ``StripeFailure/refused(_:)`` if it has ended already.
    func withdraw(_ reference: String) async throws(StripeFailure) -> ChargeObject {
        switch ChargeObject.Kind(reference) {
        case .session:
            let call = StripeCall.post("/v1/checkout/sessions/*/expire", reference, CheckoutSession.expansion)
            return ChargeObject(try await send(call, as: CheckoutSession.self))
        case .intent:
            return ChargeObject(
                try await send(.post("/v1/payment_intents/*/cancel", reference), as: PaymentIntent.self)
            )
        }
    }
}

extension ChargeFinding {
    /// The same for the engine; a charge whose intent has to be cancelled first has no status yet.
    var status: ChargeStatus {
        switch self {
        case .outcome(.unknown(let reason)): .unreachable(reason: reason)
        case .outcome(let outcome): .settled(outcome)
        case .ready: .ready
        case .cancel(let intent, _): .unreachable(reason: "\(intent) is not cancelled yet")
        }
    }
}
