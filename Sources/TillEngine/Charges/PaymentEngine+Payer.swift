import FoundationEssentials
import TillModel

/// Calls of the provider that users ask for while a payment waits for its payer.
extension PaymentEngine {
    /// Such calls at once, each for another account.
    static let payerCallsMaximum = 16

    /// Withdraws a charge that waits for its payer, as ``ChargeJobs/withdraw(_:failingWith:recording:)`` does.
    func withdraw(
        _ charge: ChargeRecord,
        failingWith error: PaymentError,
        recording record: @escaping @Sendable (inout CommandContext) throws -> Void
    ) async throws(TillError) {
        let account = charge.request.account
        try await payerCalls.acquire(account)
        defer { payerCalls.release(account) }
        try await chargeJobs.withdraw(charge.key, failingWith: error, recording: record)
    }
}
