package import FoundationEssentials
package import TillModel

/// Charges money. Every method may be called again with the same identity, after any crash.
///
/// A charge has a reference, by which the provider finds it. For a ``KeyedProvider``, that is the payment's identity. Others
/// prepare a charge first: they make an object that moves no money, and name it. The engine stores the name before it lets
/// the object be charged, and never lets another be charged for the payment.
package protocol PaymentProvider: Sendable {
    /// Whether charges are prepared.
    var preparesCharges: Bool { get }
    /// About how long the payer has to pay on the provider's page; nil for a provider without pages. A provider with pages
    /// asks the payer for consent itself, so that no agent does.
    var payerDeadline: Duration? { get }
    /// Does the provider's background work, until the task is cancelled or no work is left.
    ///
    /// - Throws: An error if the provider can no longer carry out calls, which ends the daemon.
    func run() async throws
    /// Makes an object for the charge, which moves no money. Called again after an unknown outcome; objects that nobody
    /// charges are harmless.
    ///
    /// - Parameter previous: For a renewal, the reference of the payment that it renews, with whose payment method it is
    ///   paid; nil for a purchase, and if nothing was paid before.
    func prepare(_ request: ChargeRequest, renewing previous: String?) async -> Preparation
    /// Charges at most once for each reference, however often it is called with it.
    func charge(_ request: ChargeRequest, by reference: String) async -> ChargeOutcome
    /// The state of a charge. Queried before a charge whose outcome is unknown is tried again.
    func query(_ request: ChargeRequest, by reference: String) async -> ChargeStatus
    /// The address of the page on which the payer pays a charge that waits for it. Anyone who has it can see what is bought,
    /// and pay; so it is fetched to be shown, and never stored.
    ///
    /// - Throws: `failedPrecondition` if the charge does not wait for its payer, `unavailable` when the provider cannot be
    ///   asked.
    func payerPage(_ request: ChargeRequest, by reference: String) async throws(TillError) -> String
    /// Makes sure that a prepared charge will never be made, unless it was made already, which the answer then says.
    func withdraw(_ request: ChargeRequest, by reference: String) async -> ChargeStatus
    /// Gives money of a charge back, at most once for each `refundID`, however often it is called with it.
    func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome
    /// The state of a refund. Queried before a refund whose outcome is unknown is tried again.
    func queryRefund(_ request: ProviderRefundRequest) async -> ChargeStatus
    /// Refunds, disputes and payment methods that may have changed after `cursor`; nil if the provider never has any that it
    /// was not asked for.
    ///
    /// - Parameter cursor: That of the news before; nil for the first.
    /// - Throws: `unavailable` when the provider cannot be asked.
    func news(after cursor: String?) async throws(TillError) -> ProviderNews?
    /// A page of the provider's own record of this ledger's charges, for comparing it with the ledger. A charge that is made
    /// while the record is read may be missing.
    ///
    /// - Parameter cursor: Where the page before says that the record continues; nil for the first page.
    /// - Throws: `unavailable` when the provider cannot be asked.
    func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage
    /// Makes sure that a prepared charge which no charge of the ledger names will never be made, unless it was made already.
    ///
    /// - Throws: `unavailable` when the provider cannot be asked.
    func discard(_ prepared: PreparedCharge) async throws(TillError)
    /// Whether the account's purchases may be restored now; the error otherwise.
    func authorizeRestore(application: String, account: String) async -> PaymentError?
}

extension PaymentProvider {
    package func run() async throws {}
}

/// A provider that knows a charge by its payment's identity, for a day at least.
package protocol KeyedProvider: PaymentProvider {
    /// Charges at most once for each `paymentID`, however often it is called with it.
    func charge(_ request: ChargeRequest) async -> ChargeOutcome
    /// The state of a charge.
    func query(_ paymentID: UUID) async -> ChargeStatus
    /// The state of a refund.
    func queryRefund(_ refundID: UUID) async -> ChargeStatus
}

extension KeyedProvider {
    package func news(after cursor: String?) async throws(TillError) -> ProviderNews? { nil }

    package var preparesCharges: Bool { false }

    package var payerDeadline: Duration? { nil }

    package func prepare(_ request: ChargeRequest, renewing previous: String?) async -> Preparation {
        .ready(reference: request.paymentID.text)
    }

    package func charge(_ request: ChargeRequest, by reference: String) async -> ChargeOutcome {
        await charge(request)
    }

    package func query(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        await query(request.paymentID)
    }

    package func queryRefund(_ request: ProviderRefundRequest) async -> ChargeStatus {
        await queryRefund(request.refundID)
    }

    package func withdraw(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        .unreachable(reason: "the provider cannot withdraw charges")
    }

    package func discard(_ prepared: PreparedCharge) async throws(TillError) {}

    package func payerPage(_ request: ChargeRequest, by reference: String) async throws(TillError) -> String {
        throw TillError(.failedPrecondition, "The provider has no page for payers.")
    }
}

/// A request to charge. `paymentID` is the idempotency key.
package struct ChargeRequest: Hashable, Sendable {
    package var paymentID: UUID
    package var application: String
    package var account: String
    package var productID: String
    package var quantity: Int
    /// In the currency's minor unit, for all of the quantity.
    package var amount: Int64
    /// ISO 4217.
    package var currency: String

    package init(
        paymentID: UUID,
        application: String,
        account: String,
        productID: String,
        quantity: Int,
        amount: Int64,
        currency: String
    ) {
        self.paymentID = paymentID
        self.application = application
        self.account = account
        self.productID = productID
        self.quantity = quantity
        self.amount = amount
        self.currency = currency
    }
}

/// A request to give money back. `refundID` is the idempotency key.
package struct ProviderRefundRequest: Hashable, Sendable {
    package var refundID: UUID
    /// The charge that it gives back a part of.
    package var paymentID: UUID
    /// The provider's name for that charge.
    package var charge: String
    /// In the currency's minor unit; at least 1.
    package var amount: Int64
    /// ISO 4217.
    package var currency: String

    package init(refundID: UUID, paymentID: UUID, charge: String, amount: Int64, currency: String) {
        self.refundID = refundID
        self.paymentID = paymentID
        self.charge = charge
        self.amount = amount
        self.currency = currency
    }
}

/// The answer to a request to prepare a charge. No money has moved.
package enum Preparation: Hashable, Sendable {
    /// It may be charged by this reference.
    case ready(reference: String)
    /// It was refused, and no money will ever move for this payment.
    case declined(PaymentError)
    /// It may be prepared or not.
    case unknown(reason: String)
    /// The provider takes no calls for so long.
    case busy(Duration)
}

package enum ChargeOutcome: Hashable, Sendable {
    /// The money moved. `reference` is the provider's name for the charge.
    case succeeded(reference: String)
    /// No money moved, and none ever will for this payment.
    case declined(PaymentError)
    /// It may have happened, may not have happened, or may still happen.
    case unknown(reason: String)
    /// The provider takes no calls for so long, and has not begun with this one.
    case busy(Duration)
    /// No money moves unless the payer acts, for example pays on the provider's page.
    case payerAction
    /// The money is on its way, which may take days. The provider will say whether it arrived.
    case pending
}

package enum ChargeStatus: Hashable, Sendable {
    case settled(ChargeOutcome)
    /// It is prepared and was not charged, so that charging is safe.
    case ready
    /// The provider knows nothing of it: charging is safe, unless it was prepared or may be forgotten.
    case notFound
    /// The provider could not be asked.
    case unreachable(reason: String)
}

/// A provider whose behaviour operators can change while it runs, such as a simulated one.
package protocol AdjustableProvider: PaymentProvider {
    /// All settings in a fixed order, with the values in force.
    var settings: [Setting] { get }
    /// - Throws: `invalidArgument` for an unknown name or an invalid value.
    func checkSetting(_ name: String, _ value: String) throws(TillError)
    /// Changes the setting, or with nil resets it to the value that the provider was started with. In force when it
    /// returns.
    ///
    /// - Throws: `invalidArgument` for an unknown name or an invalid value.
    func changeSetting(_ name: String, to value: String?) throws(TillError)
}
