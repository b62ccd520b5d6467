import FoundationEssentials
package import TillEngine
import TillModel

/// A row of the table of transactions: a transaction with the charge that pays for it and its history.
package struct TransactionRow {
    /// Without its downloads, which have rows of their own.
    package internal(set) var transaction: TransactionRecord
    package var charge: ChargeRecord?
    package var history = PackedHistory()
    /// What of the row is still to be written.
    var changes: Changes = []
    /// The marks that the ledger has of the row; nil if the row is still to be inserted.
    var storedMarks: [Mark]?

    /// Parts of a row that are written together.
    struct Changes: OptionSet {
        let rawValue: Int

        /// All columns but those of the others.
        static let record = Changes(rawValue: 1)
        static let history = Changes(rawValue: 2)
        static let receipt = Changes(rawValue: 4)
    }

    /// Whether the table has the row.
    var isStored: Bool {
        storedMarks != nil
    }

    /// A row that is still to be inserted.
    package init(inserting transaction: TransactionRecord) {
        self.transaction = transaction
        self.transaction.downloads = []
        changes = [.record, .history, .receipt]
    }

    /// A row that the ledger has.
    init(stored transaction: TransactionRecord, charge: ChargeRecord?, history: PackedHistory) {
        self.transaction = transaction
        self.charge = charge
        self.history = history
        storedMarks = marks
    }

    /// Replaces all of the transaction that may change.
    mutating func update(_ changed: TransactionRecord) {
        changes.insert(.record)
        if !changed.receipt.hasSameBytes(as: transaction.receipt) {
            changes.insert(.receipt)
        }
        transaction = changed.updating(transaction)
    }

    /// Removes the receipt and the history.
    mutating func prune() {
        transaction.receipt = nil
        history = PackedHistory()
        changes.formUnion([.receipt, .history])
    }

    /// Replaces all of the charge that may change.
    mutating func update(_ changed: ChargeRecord) {
        charge = charge.map(changed.updating)
        changes.insert(.record)
    }

    /// The fields of the column `detail`. The row then has the values as they will be read: dates in milliseconds.
    mutating func encodeDetail(in name: () throws -> QueueName) throws -> [UInt8] {
        var writer = FieldWriter()
        writer.reserve(Self.detailBytes)
        let receipt = transaction.receipt
        transaction = try TransactionRecord(&writer, TransactionColumns(transaction), transaction)
        transaction.receipt = receipt
        charge = try writer.nestedIfPresent(TransactionRecord.chargeTag, charge) { writer, charge in
            try ChargeRecord(&writer, of: transaction, in: name, charge)
        }
        return writer.bytes
    }

    /// More than most details take.
    private static let detailBytes = 256
}

extension SignedReceipt? {
    fileprivate func hasSameBytes(as other: SignedReceipt?) -> Bool {
        guard let self, let other else {
            return self == nil && other == nil
        }
        return self.header.hasSameBytes(as: other.header) && self.body.hasSameBytes(as: other.body)
    }
}
