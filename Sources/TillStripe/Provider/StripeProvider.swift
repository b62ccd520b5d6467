package import FoundationEssentials
package import Logging
package import TillEngine
package import TillModel

#if MUTANTS
    import Mutants
#endif

/// A provider that charges through Stripe.
///
/// A purchase is a Checkout Session: the payer pays on Stripe's page. A renewal is a PaymentIntent that is confirmed
/// without the payer. Both are made and named before anything can be charged, and each is charged once at most, whatever is
/// repeated or lost, and however much later.
package final class StripeProvider: PaymentProvider {
    /// What a payer sees of a product, and how it is paid for.
    package struct Product: Hashable, Sendable {
        package var name: String
        /// Whether it renews, so that the payment method has to be kept.
        package var renews: Bool

        package init(name: String, renews: Bool) {
            self.name = name
            self.renews = renews
        }
    }

    package struct Configuration: Sendable {
        /// The ledger's identity, by which objects at Stripe are recognised as this ledger's.
        package var ledger: UUID
        /// The merchant's account, which every key has to belong to.
        package var account: String
        /// The page that the payer's browser opens after the payment.
        package var returnURL: String
        /// How long the payer may take on the page, rounded up to ten minutes.
        package var payerDeadline: Duration
        /// The product of this identity; nil for one that the catalogue no longer has.
        package var product: @Sendable (String) -> Product?
        /// A key that is to be used from now on; nil as long as there is no other.
        package var key: @Sendable () -> StripeKey?

        /// Stripe allows half an hour to a day from when the page is made. This leaves room for rounding, and for clocks
        /// that differ by a few minutes.
        package static let payerDeadlines: ClosedRange<Duration> = .seconds(2400)...(.seconds(23 * 3600))

        package init(
            ledger: UUID,
            account: String,
            returnURL: String,
            payerDeadline: Duration = .seconds(3600),
            product: @escaping @Sendable (String) -> Product?,
            key: @escaping @Sendable () -> StripeKey? = { nil }
        ) {
            self.ledger = ledger
            self.account = account
            self.returnURL = returnURL
            self.payerDeadline = payerDeadline
            self.product = product
            self.key = key
        }
    }

    let api: StripeAPI
    let configuration: Configuration
    let time: any TimeSource
    let logger: Logger

    package init(
        _ api: StripeAPI,
        _ configuration: Configuration,
        logger: Logger,
        time: any TimeSource = SystemTime()
    ) {
        self.api = api
        self.configuration = configuration
        self.logger = logger
        self.time = time
    }

    package var preparesCharges: Bool { true }

    package var payerDeadline: Duration? { configuration.payerDeadline }

    package func prepare(_ request: ChargeRequest, renewing previous: String?) async -> Preparation {
        let amount: StripeAmount
        do throws(StripeAmount.Refusal) {
            amount = try StripeAmount(charging: request.amount, currency: request.currency)
        } catch {
            logger.error("\(error)", metadata: ["transaction.id": "\(request.paymentID.text)"])
            return .declined(PaymentError(.paymentInvalid, error.description, reason: .invalidPayment))
        }
        do throws(StripeFailure) {
            guard let previous else {
                let session = try await api.make(sessionCall(request, amount), as: CheckoutSession.self)
                return .ready(reference: session.id)
            }
            guard let payer = try await payer(ofPayment: previous, isUrgent: false), let method = payer.method else {
                return .declined(.noPaymentMethod)
            }
            let intent = try await api.make(
                intentCall(request, amount, payer.customer, method),
                as: PaymentIntent.self
            )
            return .ready(reference: intent.id)
        } catch {
            return preparation(after: error)
        }
    }

    package func charge(_ request: ChargeRequest, by reference: String) async -> ChargeOutcome {
        if ChargeObject.Kind(reference) == .intent, let outcome = await confirm(reference) {
            return outcome
        }
        return switch await query(request, by: reference) {
        case .settled(let outcome): outcome
        case .unreachable(let reason): .unknown(reason: reason)
        case .ready, .notFound: .unknown(reason: "\(reference) is not charged yet")
        }
    }

    package func query(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        await status(of: request) { () throws(StripeFailure) in try await self.api.object(reference) }
    }

    package func payerPage(_ request: ChargeRequest, by reference: String) async throws(TillError) -> String {
        guard ChargeObject.Kind(reference) == .session else {
            throw Self.noPage
        }
        let session: CheckoutSession
        do throws(StripeFailure) {
            session = try await api.session(reference)
        } catch {
            throw TillError(.unavailable, "Stripe did not give the page: \(error.reason); try again later.")
        }
        guard session.paymentID == request.paymentID.text, session.status == "open", let page = session.url else {
            throw Self.noPage
        }
        return page
    }

    private static let noPage = TillError(.failedPrecondition, "The payment does not wait for its payer at Stripe.")

    package func withdraw(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        await status(of: request) { () throws(StripeFailure) in
            do throws(StripeFailure) {
                return try await self.api.withdraw(reference)
            } catch .refused {
                // It has ended, and how counts.
                return try await self.api.object(reference)
            }
        }
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        nil
    }

    /// Confirms the intent, which charges it.
    ///
    /// - Returns: Nil if the intent has to be looked at: an attempt failed, or the intent had an outcome before.
    private func confirm(_ intent: String) async -> ChargeOutcome? {
        do throws(StripeFailure) {
            var call = StripeCall.post("/v1/payment_intents/*/confirm", intent, [("off_session", "true")])
            call.isUrgent = false
            _ = try await api.send(call, as: PaymentIntent.self)
            return nil
        } catch .refused {
            return nil
        } catch .busy(let pause) {
            return .busy(pause)
        } catch {
            return .unknown(reason: error.reason)
        }
    }

    /// What the object says about the charge, after an intent that failed was cancelled.
    private func status(
        of request: ChargeRequest,
        _ read: () async throws(StripeFailure) -> ChargeObject
    ) async -> ChargeStatus {
        do throws(StripeFailure) {
            let object = try await read()
            guard object.paymentID == request.paymentID.text else {
                return .unreachable(reason: "\(object.id) belongs to another payment")
            }
            check(object, request)
            guard case .cancel(let intent, let error) = object.finding else {
                return object.finding.status
            }
            #if MUTANTS
                if Mutant.declineBeforeCancelling.isPlanted {
                    return .settled(.declined(error))
                }
            #endif
            return try await cancel(intent) ?? .settled(.declined(error))
        } catch .busy(let pause) {
            return .settled(.busy(pause))
        } catch .unauthorized {
            return .settled(.busy(Self.pauseWithoutPermission))
        } catch {
            #if MUTANTS
                if error.isMistakenForADecline {
                    return .settled(.declined(.withdrawn))
                }
            #endif
            return .unreachable(reason: error.reason)
        }
    }

    /// Cancels an intent that failed, so that nothing can be charged for it any more.
    ///
    /// - Returns: Its status if it had ended before; nil if it is cancelled.
    private func cancel(_ intent: String) async throws(StripeFailure) -> ChargeStatus? {
        let found: ChargeObject
        do throws(StripeFailure) {
            found = try await api.withdraw(intent)
        } catch .refused {
            found = try await api.object(intent)
        }
        if case .cancel = found.finding {
            return .unreachable(reason: "\(intent) could not be cancelled")
        }
        if case .outcome(.declined) = found.finding {
            return nil
        }
        return found.finding.status
    }

    /// Reports a payment of another amount. It is paid all the same, and an operator has to give back or ask for the rest.
    private func check(_ object: ChargeObject, _ request: ChargeRequest) {
        guard let paid = object.paid,
            paid.minorUnits != request.amount || paid.currency.uppercased() != request.currency
        else {
            return
        }
        logger.critical(
            "Stripe charged another amount than it was asked for: compare the payment with Stripe's Dashboard",
            metadata: [
                "transaction.id": "\(request.paymentID.text)", "stripe.object": "\(object.id)",
                "charge.amount": "\(request.amount) \(request.currency)",
                "stripe.amount": "\(paid.amount) \(paid.currency)",
            ]
        )
    }

    private func preparation(after failure: StripeFailure) -> Preparation {
        if case .refused(let error) = failure {
            logger.error(
                "Stripe refuses to prepare a charge, which needs an operator",
                metadata: ["stripe.error": "\(error.summary)"]
            )
        }
        return switch failure {
        case .busy(let pause): .busy(pause)
        case .unauthorized: .busy(Self.pauseWithoutPermission)
        case .refused, .unreachable, .serverError, .unknown: .unknown(reason: failure.reason)
        }
    }

    /// How long to wait while Stripe does not accept the key.
    static let pauseWithoutPermission = Duration.seconds(30)
}

#if MUTANTS
    extension StripeFailure {
        fileprivate var isMistakenForADecline: Bool {
            switch self {
            case .serverError: Mutant.serverErrorIsDecline.isPlanted
            case .refused(let error): Mutant.missingIsNotCharged.isPlanted && error.status == 404
            default: false
            }
        }
    }
#endif
