package import Logging
import NIOConcurrencyHelpers

/// What a ledger keeps of its rows between transactions, so that they are not read again. Its truth is in the database.
package final class LedgerMemory: Sendable {
    package let highestKey: HighestKey
    /// Those of committed transactions.
    private let receiptHeaders = NIOLockedValueBox(ReceiptHeaders())
    /// As of the last commit. If others write too, it is forgotten once they did.
    private let knownRows = NIOLockedValueBox(KnownRows())
    /// Whether applications finish transactions in the database, too.
    private let sharesFinishes: Bool
    /// This daemon's name among those that share the ledger; nil if it has the ledger alone.
    private let host: String?
    private let logger: Logger?

    package init(
        highestKey: HighestKey = HighestKey(),
        sharesFinishes: Bool = false,
        host: String? = nil,
        logger: Logger?
    ) {
        self.highestKey = highestKey
        self.sharesFinishes = sharesFinishes
        self.host = host
        self.logger = logger
    }

    /// A transaction that commits. Nothing stays known unless ``keepCommitted(_:)`` is called with it.
    package func makeWriter(on connection: any SQLConnection) -> SQLTransaction {
        makeTransaction(on: connection, known: knownRows.withLockedValue { $0.take() })
    }

    package func makeReader(on connection: any SQLConnection) -> SQLTransaction {
        makeTransaction(on: connection, known: KnownRows())
    }

    /// Forgets what others may have changed. Headers of receipts never change.
    package func forget() {
        highestKey.forget()
        knownRows.withLockedValue { $0 = KnownRows() }
    }

    /// Keeps what a transaction has read and stored, now that it cannot be rolled back.
    package func keepCommitted(_ transaction: SQLTransaction) {
        keepRead(transaction)
        knownRows.withLockedValue { rows in
            rows = transaction.known.take()
            rows.settle()
        }
    }

    /// Keeps what a transaction that only reads has read.
    package func keepRead(_ transaction: SQLTransaction) {
        let headers = transaction.receiptHeaders
        if headers.hasNew {
            receiptHeaders.withLockedValue { $0 = headers.settled }
        }
    }

    private func makeTransaction(on connection: any SQLConnection, known: KnownRows) -> SQLTransaction {
        SQLTransaction(
            connection,
            highestKey: highestKey,
            receiptHeaders: receiptHeaders.withLockedValue { $0 },
            known: known,
            finishes: sharesFinishes ? SharedFinishes() : nil,
            host: host,
            logger: logger
        )
    }
}
