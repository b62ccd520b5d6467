import FoundationEssentials
import TillModel

extension PaymentEngine {
    func revokeSubscription(of transaction: TransactionRecord, at date: Date, _ context: inout CommandContext) throws {}
}
