import FoundationEssentials
import TillModel

extension TransactionRecord {
    /// The record as databases give it back, with dates in milliseconds.
    var inMilliseconds: TransactionRecord {
        var record = self
        record.payment = payment.inMilliseconds
        record.createdAt = createdAt.roundedToMilliseconds
        record.purchasedAt = purchasedAt?.roundedToMilliseconds
        record.finishedAt = finishedAt?.roundedToMilliseconds
        record.deadline = deadline?.roundedToMilliseconds
        record.revocation = revocation.map {
            Revocation(date: $0.date.roundedToMilliseconds, reason: $0.reason, quantity: $0.quantity)
        }
        record.term = term?.inMilliseconds
        return record
    }
}

extension TermRecord {
    fileprivate var inMilliseconds: TermRecord {
        var record = self
        record.start = start.roundedToMilliseconds
        record.end = end.roundedToMilliseconds
        return record
    }
}

extension Payment {
    /// The payment as databases give it back, with its date in milliseconds.
    var inMilliseconds: Payment {
        var payment = self
        payment.discount = discount.map { discount in
            var discount = discount
            discount.timestamp = discount.timestamp.roundedToMilliseconds
            return discount
        }
        return payment
    }
}
