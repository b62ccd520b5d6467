import FoundationEssentials
import TillModel

extension CommandContext {
    mutating func audit(_ action: String, subject: String, detail: String, by identity: OperatorIdentity) throws {}
}

extension PaymentEngine {
    func processRefund(_ id: UUID) async throws(TillError) {}

    func resolveReview(
        _ transaction: TransactionRecord,
        _ outcome: ReviewOutcome,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        transaction
    }
}
