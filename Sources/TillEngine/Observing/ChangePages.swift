import NIOConcurrencyHelpers
import TillModel

/// Shares pages of queues' changes among observers, so that each page is read and encoded once.
///
/// A page shows the ledger as it was when the page was read; later changes come with the pages after it. Observers that
/// are not far behind get the changes of the last commits without a read.
final class ChangePages: Sendable {
    /// The limits of the kept pages.
    static let countMaximum = 64
    static let weightMaximum = 4 << 20

    struct Key: Hashable, Sendable {
        var queue: Int64
        /// The revision after which it begins.
        var after: UInt64
        /// The maximum number of changes in it.
        var limit: Int
    }

    /// How a caller gets a page.
    private enum Finding {
        case kept(ChangePage)
        case notified([QueueChanges.Change], newest: UInt64)
        case mine
        case anothers
    }

    private typealias Waiter = CheckedContinuation<ChangePage?, Never>

    private struct State {
        var pages: [Key: ChangePage] = [:]
        /// The keys of the pages, the oldest first.
        var order: [Key] = []
        var weight = 0
        /// The changes of the newest commits, by queue.
        var notified: [Int64: RecentChanges] = [:]
        var notifiedWeight = 0
        /// The callers that wait for a page that is being read.
        var reading: [Key: [Waiter]] = [:]

        mutating func keep(_ page: ChangePage, _ key: Key) {
            guard pages[key] == nil else {
                // Another caller made or read it first.
                return
            }
            pages[key] = page
            order.append(key)
            weight += page.weight
            while order.count > countMaximum || weight > weightMaximum {
                weight -= pages.removeValue(forKey: order.removeFirst())?.weight ?? 0
            }
        }

        mutating func notify(_ commit: QueueChanges, of queue: Int64) {
            var recent = notified.removeValue(forKey: queue)
            notifiedWeight -= recent?.weight ?? 0
            if recent?.append(next: commit) != true {
                recent = commit.isWhole ? RecentChanges(commit) : nil
            }
            notified[queue] = recent
            notifiedWeight += recent?.weight ?? 0
            if notifiedWeight > weightMaximum {
                notified = [:]
                notifiedWeight = 0
            }
        }
    }

    private let numbering: LedgerNumbering
    private let state = NIOLockedValueBox(State())

    /// - Parameter numbering: The ledger's.
    init(numbering: LedgerNumbering) {
        self.numbering = numbering
    }

    /// Adds the changes of the newest commit, by queue.
    func notify(of changes: [Int64: QueueChanges]) {
        state.withLockedValue { state in
            changes.forEach { state.notify($0.value, of: $0.key) }
        }
    }

    /// The page, which only one of several concurrent callers reads.
    func page(
        _ key: Key,
        read: () async throws(TillError) -> ChangePage
    ) async throws(TillError) -> ChangePage {
        while true {
            switch look(up: key) {
            case .kept(let page):
                return page
            case .notified(let changes, let newest):
                let entries = changes.map { $0.entry(identifiedBy: numbering) }
                return share(ChangePage(entries, limit: key.limit, newest: newest), key)
            case .mine:
                return try await fill(key, read)
            case .anothers:
                if let page = await wait(for: key) {
                    return page
                }
            }
        }
    }

    private func look(up key: Key) -> Finding {
        state.withLockedValue { state in
            if let page = state.pages[key] {
                return .kept(page)
            }
            if let recent = state.notified[key.queue], let changes = recent.changes(after: key.after, limit: key.limit)
            {
                return .notified(changes, newest: recent.newest)
            }
            guard state.reading[key] == nil else {
                return .anothers
            }
            state.reading[key] = []
            return .mine
        }
    }

    /// Keeps the page, and returns the one that all callers share, should another caller have made it first.
    private func share(_ page: ChangePage, _ key: Key) -> ChangePage {
        state.withLockedValue { state in
            state.keep(page, key)
            return state.pages[key] ?? page
        }
    }

    private func fill(
        _ key: Key,
        _ read: () async throws(TillError) -> ChangePage
    ) async throws(TillError) -> ChangePage {
        do throws(TillError) {
            let page = try await read()
            settle(key, page)
            return page
        } catch {
            settle(key, nil)
            throw error
        }
    }

    private func settle(_ key: Key, _ page: ChangePage?) {
        // An empty page would hide the next changes, even from callers that were woken for them while it was read.
        let page = page.flatMap { $0.events.isEmpty ? nil : $0 }
        let waiters = state.withLockedValue { state in
            if let page {
                state.keep(page, key)
            }
            return state.reading.removeValue(forKey: key) ?? []
        }
        waiters.forEach { $0.resume(returning: page) }
    }

    /// The page that another caller reads; nil when that failed, found nothing, or has ended already.
    private func wait(for key: Key) async -> ChangePage? {
        await withCheckedContinuation { waiter in
            let isRead = state.withLockedValue { state in
                state.reading[key]?.append(waiter)
                return state.reading[key] != nil
            }
            if !isRead {
                waiter.resume(returning: nil)
            }
        }
    }
}
