/// Derives public identifiers from the ledger's small row keys, and row keys from identifiers.
///
/// An identifier is a key plus the base of the range that the key lies in. The base of a new ledger is random, so that
/// identifiers are unique across ledgers, hosts and time without a column or an index of their own.
package struct IdentifierNumbering: Hashable, Sendable {
    /// Bases lie below this, so that an identifier fits 64 bits, signed or not.
    package static let baseEnd: Int64 = 1 << 62

    /// Keys from `firstKey` up to the next range's first key.
    package struct Range: Hashable, Sendable {
        package var firstKey: Int64
        package var base: Int64

        package init(firstKey: Int64, base: Int64) {
            self.firstKey = firstKey
            self.base = base
        }
    }

    /// By first key.
    package let ranges: [Range]

    /// Nil unless the first range begins at key 1, keys rise, and all bases are allowed.
    package init?(ranges: [Range]) {
        guard ranges.first?.firstKey == 1,
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.firstKey < $1.firstKey }),
            ranges.allSatisfy({ (0..<Self.baseEnd).contains($0.base) })
        else {
            return nil
        }
        self.ranges = ranges
    }

    /// One range for all keys.
    fileprivate init(base: Int64) {
        ranges = [Range(firstKey: 1, base: base)]
    }

    /// The identifier's number.
    package func number(ofKey key: Int64) -> Int64 {
        let base = ranges.last { $0.firstKey <= key }?.base ?? ranges.first?.base ?? 0
        // A damaged row may hold any key.
        return base &+ key
    }

    /// The identifier, in decimal digits.
    package func identifier(ofKey key: Int64) -> String {
        String(number(ofKey: key))
    }

    /// The key of an identifier's number; nil for a number that no key has.
    package func key(ofNumber number: Int64) -> Int64? {
        let candidates = ranges.map { number.subtractingReportingOverflow($0.base) }
        return candidates.first {
            !$0.overflow && $0.partialValue > 0 && self.number(ofKey: $0.partialValue) == number
        }?
        .partialValue
    }
}

/// The numberings of a ledger's public identifiers, drawn once when the ledger is created and stored in it.
package struct LedgerNumbering: Hashable, Sendable {
    /// Bases of transaction identifiers, which have 19 digits.
    package static let transactionBases: Range<Int64> = 1 << 61..<IdentifierNumbering.baseEnd
    /// Bases of application identifiers, which have 19 digits and never equal a transaction's.
    package static let applicationBases: Range<Int64> = 1 << 60..<1 << 61
    /// The base of the application identifiers that every ledger issued before bases were random.
    package static let plainApplicationBase: Int64 = 704_000_000_000_000_000

    /// Of `transactionIdentifier`, by the transaction's key.
    package var transactions: IdentifierNumbering
    /// Of `appTransactionId`, by the queue's key: one account's use of one application.
    package var applications: IdentifierNumbering

    package init(transactions: IdentifierNumbering, applications: IdentifierNumbering) {
        self.transactions = transactions
        self.applications = applications
    }

    /// The numbering of ledgers before bases were random: transaction identifiers are the keys.
    package static let plain = LedgerNumbering(
        transactions: IdentifierNumbering(base: 0),
        applications: IdentifierNumbering(base: plainApplicationBase)
    )

    /// A new ledger's numbering.
    ///
    /// Two ledgers of a million transactions each share an identifier with a probability of 2 × 10⁶ / 2⁶¹, about
    /// 10⁻¹²; among ten thousand such ledgers, any two do with a probability of about 1 in 20,000.
    package static func drawn(using random: inout some RandomNumberGenerator) -> LedgerNumbering {
        LedgerNumbering(
            transactions: IdentifierNumbering(base: .random(in: transactionBases, using: &random)),
            applications: IdentifierNumbering(base: .random(in: applicationBases, using: &random))
        )
    }

    /// A new ledger's numbering from the system's cryptographic random numbers.
    package static func drawn() -> LedgerNumbering {
        var random = SystemRandomNumberGenerator()
        return drawn(using: &random)
    }
}
