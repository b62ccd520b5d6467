package import FoundationEssentials
package import TillModel

/// Calls of the provider that users ask for while a payment waits for its payer.
extension PaymentEngine {
    /// Such calls at once, each for another account.
    static let payerCallsMaximum = 16

    /// The address of the provider's page on which a payment is paid. Anyone who has it can see what is bought, and pay.
    ///
    /// - Throws: `notFound` for a payment that is not the user's to pay, `failedPrecondition` for one that does not wait for
    ///   its payer, `unavailable` when the provider cannot be asked.
    package func paymentPage(_ id: UUID, for approver: Approver) async throws(TillError) -> String {
        try await check(approver, mayAnswer: id, .payment)
        guard let charge = try await chargeWaitingForPayer(of: id), let reference = charge.reference else {
            throw Self.doesNotWait(id)
        }
        let account = charge.request.account
        try await payerCalls.acquire(account)
        defer { payerCalls.release(account) }
        return try await provider.payerPage(charge.request, by: reference)
    }

    /// Cancels a payment that waits for its payer, as the user's answer. Paying is the other answer.
    ///
    /// - Throws: `failedPrecondition` if the answer is yes, or the payment does not wait for its payer, perhaps because it
    ///   had just been paid.
    func declineToPay(_ id: UUID, approves: Bool, by identity: OperatorIdentity) async throws(TillError) {
        guard !approves else {
            throw TillError(
                .failedPrecondition,
                "The payment \(id.text) is paid on the provider's page, and cannot be approved: open the page."
            )
        }
        guard let charge = try await chargeWaitingForPayer(of: id) else {
            throw Self.doesNotWait(id)
        }
        try await withdraw(charge, failingWith: Authorization.cancelledByUser) { context in
            try Authorization.record(id, charge.transactionKey, .payerAction, approves: false, by: identity, &context)
        }
        guard try await read({ try $0.transaction(id)?.state }) == .failed else {
            throw Self.doesNotWait(id)
        }
    }

    private func chargeWaitingForPayer(of id: UUID) async throws(TillError) -> ChargeRecord? {
        try await read { ledger in
            guard let transaction = try ledger.transaction(id),
                let charge = try ledger.charge(forTransaction: transaction.key), charge.isWithdrawable(for: transaction)
            else {
                return nil
            }
            return charge
        }
    }

    private static func doesNotWait(_ id: UUID) -> TillError {
        TillError(.failedPrecondition, "The payment \(id.text) does not wait for its payer.")
    }

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
