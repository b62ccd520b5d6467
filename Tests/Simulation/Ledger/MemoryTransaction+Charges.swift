import FoundationEssentials
import TillEngine
import TillModel

extension MemoryTransaction: ChargeReader {
    func charge(key: Int64) -> ChargeRecord? {
        state.charges[key]
    }

    func charge(forTransaction key: Int64) -> ChargeRecord? {
        state.transactionCharges[key].flatMap(charge(key:))
    }

    func renewalCharge(ofPayment id: UUID) -> ChargeRecord? {
        state.charges.values.first {
            ChargeRecord.renewalKeys.contains($0.key) && $0.request.paymentID == id
        }
    }

    func dueCharges(at date: Date, limit: Int) -> [ChargeRecord] {
        state.dueCharges.keys(at: date, limit: limit).compactMap(charge(key:))
    }

    func charges(dueAfter date: Date, limit: Int) -> [ChargeRecord] {
        state.dueCharges.keys(after: date, limit: limit).compactMap(charge(key:))
    }

    func unsettledCharges(exclusiveGroup: String, in queue: Int64, limit: Int) -> [ChargeRecord] {
        let keys = state.queues[queue]?.unsettledCharges.elements ?? []
        let charges = keys.compactMap(charge(key:)).filter { exclusiveGroup.hasSameBytes(as: $0.exclusiveGroup) }
        let openFirst = charges.filter { $0.state == .open } + charges.filter { $0.state == .waiting }
        return Array(openFirst.prefix(max(0, limit)))
    }

    func chargeInReview(ofSubscription key: Int64) -> ChargeRecord? {
        state.chargesInReview.elements.lazy.compactMap(charge(key:)).first {
            $0.subscriptionKey == key && $0.transactionKey == nil
        }
    }

    func charges(afterKey key: Int64, limit: Int) -> [ChargeRecord] {
        state.chargeKeys.drop(while: { $0 <= key }).prefix(max(0, limit)).compactMap(charge(key:))
    }
}

extension MemoryTransaction: ChargeWriter {
    func insert(_ charge: ChargeRecord) throws -> Int64 {
        try requireQueue(charge.queue)
        try requireSubscription(charge.subscriptionKey)
        try requireFreeTransaction(charge.transactionKey)
        var record = charge
        record.key =
            charge.transactionKey ?? max(ChargeRecord.renewalKeys.lowerBound, (state.chargeKeys.elements.last ?? 0) + 1)
        record.createdAt = charge.createdAt.roundedToMilliseconds
        record.dueAt = charge.dueAt.roundedToMilliseconds
        state.index(record)
        return record.key
    }

    func update(_ charge: ChargeRecord) throws {
        guard let old = self.charge(key: charge.key) else {
            throw TillError(.notFound, "The ledger has no charge \(charge.key).")
        }
        if charge.transactionKey != old.transactionKey {
            try requireFreeTransaction(charge.transactionKey)
        }
        var record = charge.updating(old)
        record.transactionKey = charge.transactionKey
        if let key = charge.transactionKey, !ChargeRecord.renewalKeys.contains(record.key) {
            record.key = key
        }
        record.createdAt = charge.createdAt.roundedToMilliseconds
        record.dueAt = charge.dueAt.roundedToMilliseconds
        state.unindex(old)
        state.index(record)
    }

    /// Requires the transaction to be there, without a charge.
    private func requireFreeTransaction(_ key: Int64?) throws {
        try requireTransaction(key)
        guard let key, charge(forTransaction: key) != nil else {
            return
        }
        throw TillError(.alreadyExists, "Transaction \(key) has a charge already.")
    }
}
