package import FoundationEssentials
package import TillModel

/// Charges money. Every method may be called again with the same identity, after any crash.
package protocol PaymentProvider: Sendable {
    /// Does what the provider needs to have done beside its calls, until the task is cancelled or nothing is left to do.
    ///
    /// - Throws: Why the provider cannot carry out anything any more, which ends the daemon.
    func run() async throws
    /// Charges at most once for each `paymentID`, however often it is called with it.
    func charge(_ request: ChargeRequest) async -> ChargeOutcome
    /// What became of a charge. Asked before anything whose outcome is unknown is tried again.
    func query(_ paymentID: UUID) async -> ChargeStatus
    /// Gives money of a charge back, at most once for each `refundID`, however often it is called with it.
    func refund(_ request: RefundRequest) async -> ChargeOutcome
    /// What became of a refund.
    func queryRefund(_ refundID: UUID) async -> ChargeStatus
    /// The provider's own record of charges in a fixed order, for comparing it with the ledger.
    ///
    /// - Parameter offset: How many were read before.
    /// - Throws: `unavailable` when the provider cannot be asked.
    func recordedCharges(from offset: Int, limit: Int) async throws(TillError) -> [ProviderCharge]
    /// Whether the account's purchases may be restored now; the error otherwise.
    func authorizeRestore(application: String, account: String) async -> PaymentError?
}

extension PaymentProvider {
    package func run() async throws {}
}

/// What the provider is asked to charge. `paymentID` is the idempotency key.
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

/// What the provider is asked to give back. `refundID` is the idempotency key.
package struct RefundRequest: Hashable, Sendable {
    package var refundID: UUID
    /// The charge that it gives back a part of.
    package var paymentID: UUID
    /// In the currency's minor unit; at least 1.
    package var amount: Int64
    /// ISO 4217.
    package var currency: String

    package init(refundID: UUID, paymentID: UUID, amount: Int64, currency: String) {
        self.refundID = refundID
        self.paymentID = paymentID
        self.amount = amount
        self.currency = currency
    }
}

package enum ChargeOutcome: Hashable, Sendable {
    /// The money moved. `reference` is the provider's name for the charge.
    case succeeded(reference: String)
    /// No money moved, and for this payment none ever will.
    case declined(PaymentError)
    /// It may have happened or not, or may still happen.
    case unknown(reason: String)
}

package enum ChargeStatus: Hashable, Sendable {
    case settled(ChargeOutcome)
    /// The provider knows nothing of it, so that charging is safe.
    case notFound
    /// The provider could not be asked.
    case unreachable(reason: String)
}

/// A provider whose behaviour operators may change while it runs: a simulated one.
package protocol AdjustableProvider: PaymentProvider {
    /// All that may be set, in a fixed order, as it is in force.
    var settings: [Setting] { get }
    /// - Throws: `invalidArgument` for a name or a value that it does not take.
    func checkSetting(_ name: String, _ value: String) throws(TillError)
    /// Sets, or with nil takes back to what the provider was started with. In force when it returns.
    ///
    /// - Throws: `invalidArgument` for a name or a value that it does not take.
    func changeSetting(_ name: String, to value: String?) throws(TillError)
}
