import FoundationEssentials
import Logging
import TillModel

/// Removes the receipts and histories of transactions whose applications finished them long ago, so that a ledger grows more slowly.
struct RetentionJob: Sendable {
    /// How long to wait until the ledger is looked through again; no longer than receipts are kept.
    static let interval = Duration.seconds(24 * 3600)
    /// Keys that are looked at in one read, and transactions that are pruned at once at most.
    static let page: Int64 = 64

    private let access: LedgerAccess
    private let time: any TimeSource
    private let metrics: EngineMetrics
    /// How long receipts and histories are kept; nil to keep all of them.
    private let retention: Duration?

    init(_ access: LedgerAccess, _ time: any TimeSource, _ metrics: EngineMetrics, retention: Duration?) {
        self.access = access
        self.time = time
        self.metrics = metrics
        self.retention = retention
    }

    /// Prunes at once and then regularly, until the task is cancelled.
    func run() async {
        guard let retention else {
            return
        }
        repeat {
            do throws(TillError) {
                try await prune(before: time.now().addingTimeInterval(-retention.timeInterval))
            } catch {
                if !Task.isCancelled {
                    access.logger.warning("Transactions were not pruned", metadata: ["error": "\(error.message)"])
                }
            }
        } while (try? await time.sleep(for: min(Self.interval, retention))) != nil
    }

    /// Looks at all transactions that were added before the date, until the task is cancelled. What has been pruned before is passed
    /// over.
    ///
    /// - Returns: How many were pruned.
    @discardableResult
    func prune(before date: Date) async throws(TillError) -> Int {
        let last = try await access.read { try $0.lastTransactionKey(before: date) }
        var after: Int64? = 0
        var count = 0
        while let key = after, !Task.isCancelled {
            let page = try await access.read { try Self.page(afterKey: key, through: last, before: date, $0) }
            count += try await prune(page.keys, before: date)
            after = page.next
        }
        if count > 0 {
            let metadata: Logger.Metadata = ["count": "\(count)", "before": "\(date.formatted(.iso8601))"]
            access.logger.info("Receipts and histories of finished transactions were removed", metadata: metadata)
        }
        return count
    }

    /// The transactions among the next keys that may be pruned, and the key that the next page follows; nil after the last.
    private static func page(
        afterKey key: Int64,
        through last: Int64,
        before date: Date,
        _ ledger: any LedgerReader
    ) throws -> (keys: [Int64], next: Int64?) {
        // Keys have gaps, which this skips.
        let next = try ledger.transactions(matching: TransactionFilter(), afterKey: key, limit: 1)
        guard let first = next.first?.key, first <= last else {
            return ([], nil)
        }
        let end = last - first < page ? last : first + page - 1
        let found = try ledger.unprunedTransactions(in: first...end)
        return (found.filter { $0.isPrunable(before: date) }.map(\.key), end < last ? end : nil)
    }

    /// Prunes each in a command of its own, which the ledger stores together.
    private func prune(_ keys: [Int64], before date: Date) async throws(TillError) -> Int {
        let results = await withTaskGroup(of: Result<Bool, TillError>.self) { group in
            for key in keys {
                group.addTask { await self.prune(key, before: date) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var count = 0
        for result in results where try result.get() {
            count += 1
        }
        metrics.pruned(count)
        return count
    }

    private func prune(_ key: Int64, before date: Date) async -> Result<Bool, TillError> {
        do throws(TillError) {
            let isPruned = try await access.perform { () throws(TillError) in
                try await access.commit(isOwn: true, about: .key(key)) { context in
                    .success(try Retention.prune(key, endedBefore: date, &context))
                }
            }
            return .success(isPruned ?? false)
        } catch {
            return .failure(error)
        }
    }
}
