package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// The newest purchases that an application's receipt holds.
    package static let receiptPurchasesMaximum = ApplicationReceipts.purchasesMaximum
    /// How long a client may take to read an application's receipt once it is made.
    package static let receiptPatience = ApplicationReceipts.patience

    /// Makes the application's receipt, and sends it in parts. A user has one at a time until it is sent, so that a client
    /// which does not read holds one document, and no longer than ``receiptPatience``.
    ///
    /// - Throws: As ``applicationReceipt(of:)``, and what `send` throws; `deadlineExceeded` when it takes too long.
    package func sendApplicationReceipt(
        of name: QueueName,
        to user: UInt32,
        partMaximum: Int,
        send: @Sendable @escaping ([UInt8]) async throws -> Void
    ) async throws {
        try await applicationReceipts.send(for: name, to: user, partMaximum: partMaximum, send: send)
    }

    /// The application's receipt for the queue: its purchases, without finished consumables and restored transactions.
    ///
    /// - Throws: `failedPrecondition` when nothing is signed here.
    package func applicationReceipt(of name: QueueName) async throws(TillError) -> SignedReceipt {
        try await applicationReceipts.make(for: name)
    }

    /// The certificate that the chains of all receipts end in, DER.
    ///
    /// - Throws: `failedPrecondition` when nothing is signed here.
    package func receiptRoot() throws(TillError) -> [UInt8] {
        try parts.receipts.requireSigner().rootCertificate
    }

    /// Signs a transaction again from what the ledger holds, and stores the result as its receipt.
    ///
    /// - Throws: `notFound`; `failedPrecondition` for a transaction that is neither purchased nor restored: nothing
    ///   happened.
    package func rebuildReceipt(
        of id: UUID,
        by identity: OperatorIdentity
    ) async throws(TillError) -> Transaction {
        _ = try parts.receipts.requireSigner()
        try identity.validate()
        let record = try await commit { context in
            try self.parts.receipts.rebuild(receiptOf: id, by: identity, &context)
        }
        return record.transaction(identifiedBy: numbering)
    }
}
