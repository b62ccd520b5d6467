import FoundationEssentials
import TillAudit
import TillEngine
import TillModel

extension Verdict {
    /// Checks that the audit log is intact, and has exactly the operators' acts.
    mutating func checkAudit(_ queues: [QueueEvidence], _ books: Books) {
        let last = books.audit.last.map { AuditHead(sequence: $0.sequence, hash: $0.hash) } ?? .start
        expect(
            .auditIsIntact,
            AuditChain.verify(books.audit, after: .start) == .intact(last),
            "the audit log is broken: \(AuditChain.verify(books.audit, after: .start))"
        )
        let links = Dictionary(grouping: books.audit) { QueueEvidence.Act(action: $0.action, subject: $0.subject) }
        checkRefunds(links, books)
        checkSettings(books)
        var answered: [QueueEvidence.Act: Int] = [:]
        var orders: Set<UUID> = []
        for (act, identity) in queues.flatMap(\.acts) where identity.map({ orders.insert($0).inserted }) ?? true {
            answered[act, default: 0] += 1
        }
        for (act, count) in answered {
            expect(
                .actsAreAudited,
                links[act, default: []].count >= count,
                "\(act.action) of \(act.subject) was confirmed \(count) times, but the audit log has fewer entries"
            )
        }
    }

    /// Checks that each refund has an entry, and each entry a refund.
    private mutating func checkRefunds(_ links: [QueueEvidence.Act: [AuditLink]], _ books: Books) {
        for row in books.queues.flatMap(\.transactions) {
            // The refund of an upgraded subscription has no quantity, and no operator ordered it.
            let refunds = books.refunds[row.key, default: []].count { $0.quantity > 0 }
            let audited = links[QueueEvidence.Act(action: "Refund", subject: row.id.text), default: []].count
            if refunds > 0 || audited > 0 {
                expect(
                    .actsAreAudited,
                    refunds == audited,
                    "\(row.id.text) has \(refunds) refunds, but the audit log has \(audited)"
                )
            }
        }
    }

    /// Checks that the settings are those of the audit log.
    private mutating func checkSettings(_ books: Books) {
        var audited: [String: String] = [:]
        let settings = books.settings.filter { StoreSettings.Key(rawValue: $0.key) != nil }
        for link in books.audit where link.action == "ChangeSettings" {
            for change in link.detail.split(separator: " ") {
                if change == "reset_all" {
                    audited = [:]
                    continue
                }
                let parts = change.split(separator: "=", maxSplits: 1).map(String.init)
                audited[parts[0]] = parts.count == 2 && parts[1] != "(default)" ? parts[1] : nil
            }
        }
        if !audited.isEmpty || !settings.isEmpty {
            expect(
                .actsAreAudited,
                audited == settings,
                "the settings are \(settings), but the audit log has \(audited)"
            )
        }
    }
}
