import Foundation
import Logging
import ProcessTesting
@testable import TillEngine
import TillModel
import TillSQLite

/// Fills a ledger before its daemon starts, as years of purchases would.
enum Purchases {
    private static let batch = 1000

    /// Gives the application this many non-consumables, purchased and finished.
    ///
    /// - Returns: The identities of their payments, in order.
    static func own(_ count: Int, at site: Site, application: String) async throws -> [String] {
        try FileManager.default.createDirectory(
            atPath: site.state,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let ledger = try SQLiteLedger(path: site.ledger, logger: Logger(label: "till.scenario"))
        let name = QueueName(application: application, account: Site.account)
        let payments = (0..<count).map { Payment(productID: "org.example.notes.book\($0)") }
        for start in stride(from: 0, to: count, by: batch) {
            let page = payments[start..<min(start + batch, count)]
            try await ledger.commit { ledger in
                var context = CommandContext(ledger: ledger, now: Date())
                let queue = try context.queue(name)
                for payment in page {
                    try context.save(TransactionRecord(owned: payment, in: queue.key, at: context.now))
                }
            }
        }
        try await ledger.close()
        return payments.map(\.id.text)
    }
}

extension TransactionRecord {
    fileprivate init(owned payment: Payment, in queue: Int64, at date: Date) {
        self.init(
            queue: queue,
            id: payment.id,
            payment: payment,
            productType: .nonConsumable,
            state: .purchased,
            revision: 0,
            createdAt: date,
            finishedAt: date,
            isEntitlement: true
        )
    }
}
