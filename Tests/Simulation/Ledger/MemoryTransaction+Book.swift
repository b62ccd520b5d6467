import FoundationEssentials
import TillEngine
import TillModel

extension MemoryTransaction: BookReader {
    func history(ofTransaction key: Int64) -> [HistoryRecord] {
        state.histories[key] ?? []
    }

    func audit(after sequence: Int64, limit: Int) -> [AuditLink] {
        Array(state.audit.drop { $0.sequence <= sequence }.prefix(max(0, limit)))
    }

    func lastAudit() -> AuditLink? {
        state.audit.last
    }

    func settings() -> [String: String] {
        state.settings
    }

    func nextDue() -> Date? {
        [state.dueCharges, state.dueSubscriptions, state.dueRefunds, state.deadlines]
            .compactMap { $0.elements.first?.date }.min()
    }
}

extension MemoryTransaction: BookWriter {
    func append(_ entry: HistoryRecord, keeping count: Int) throws {
        try requireTransaction(entry.transactionKey)
        var entry = entry
        entry.date = entry.date.roundedToMilliseconds
        var history = history(ofTransaction: entry.transactionKey) + [entry]
        let surplus = history.count { $0.kind == entry.kind } - max(0, count)
        for _ in 0..<max(0, surplus) {
            if let oldest = history.firstIndex(where: { $0.kind == entry.kind }) {
                history.remove(at: oldest)
            }
        }
        state.histories[entry.transactionKey] = history
    }

    func append(_ link: AuditLink) throws {
        guard link.sequence == Int64(state.audit.count) + 1 else {
            throw TillError(.failedPrecondition, "Link \(link.sequence) is not the next of the audit log.")
        }
        var link = link
        link.date = link.date.roundedToMilliseconds
        state.audit.append(link)
    }

    func setSetting(_ name: String, to value: String?) throws {
        state.settings[name] = value
    }

    func touch() {}
}
