import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension Story {
    /// A row of the ledger; the `original` 2 is the purchase of ``pro``.
    static func row(
        _ key: Int64,
        _ payment: Payment,
        _ state: TransactionState,
        _ revision: UInt64,
        finished: Bool = true,
        id: UUID? = nil,
        original: Int64? = nil,
        error: PaymentError? = nil,
        isEntitlement: Bool = false
    ) -> TransactionRecord {
        TransactionRecord(
            key: key,
            queue: 1,
            id: id ?? payment.id,
            payment: payment,
            state: state,
            revision: revision,
            createdAt: date,
            finishedAt: finished ? date : nil,
            error: error,
            original: original.map { OriginalRecord(key: $0, id: pro.id, purchasedAt: date) },
            isEntitlement: isEntitlement
        )
    }

    static func seen(_ row: TransactionRecord) -> Sighting {
        Sighting(row.transaction(identifiedBy: .plain))
    }

    static func delivered(_ row: TransactionRecord, sequence: Int = 1, asked: UInt64 = 0) -> Fact {
        .delivered(sequence: sequence, asked: asked, seen(row))
    }

    static func removed(_ row: TransactionRecord, sequence: Int = 1) -> Fact {
        .removed(sequence: sequence, seen(row))
    }

    static func charge(_ key: Int64, _ payment: Payment, _ amount: Int64, _ state: ChargeRecord.State) -> ChargeRecord {
        let request = ChargeRequest(
            paymentID: payment.id,
            application: name.application,
            account: name.account,
            productID: payment.productID,
            quantity: payment.quantity,
            amount: amount,
            currency: "USD"
        )
        return ChargeRecord(
            key: key,
            transactionKey: key,
            queue: 1,
            request: request,
            state: state,
            createdAt: date,
            dueAt: date
        )
    }

    static func charged(_ payment: Payment, _ amount: Int64, currency: String = "USD") -> ProviderCharge {
        ProviderCharge(paymentID: payment.id, amount: amount, currency: currency, reference: "r")
    }
}

extension Story {
    /// Removes a fact.
    mutating func remove(_ matches: (Fact) -> Bool) {
        facts.removeAll(where: matches)
    }

    /// Inserts a fact after another.
    mutating func insert(_ fact: Fact, after matches: (Fact) -> Bool) {
        if let place = facts.firstIndex(where: matches) {
            facts.insert(fact, at: place + 1)
        }
    }

    /// Changes the row of the payment or restored transaction.
    mutating func change(_ id: UUID, _ body: (inout TransactionRecord) -> Void) {
        for index in rows.indices where rows[index].id == id {
            body(&rows[index])
        }
    }

    /// Changes the charge of the payment.
    mutating func changeCharge(_ id: UUID, _ body: (inout ChargeRecord) -> Void) {
        for index in charges.indices where charges[index].request.paymentID == id {
            body(&charges[index])
        }
    }
}

extension Fact {
    /// Whether the fact is a delivery or removal at this revision in the sequence.
    func shows(_ revision: UInt64, sequence: Int = 1) -> Bool {
        switch self {
        case .delivered(sequence, _, let sighting), .removed(sequence, let sighting): sighting.revision == revision
        default: false
        }
    }
}
