import FoundationEssentials
import TillAudit
import TillEngine
import TillModel

extension Verdict {
    /// The audit log is whole, and has exactly what operators did.
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
                "\(act.action) of \(act.subject) was answered \(count) times, and the audit log has it less often"
            )
        }
    }

    /// Each refund and its link are there together.
    private mutating func checkRefunds(_ links: [QueueEvidence.Act: [AuditLink]], _ books: Books) {
        for row in books.queues.flatMap(\.transactions) {
            // What an upgrade gives back is of no piece, and nobody's order.
            let refunds = books.refunds[row.key, default: []].count { $0.quantity > 0 }
            let audited = links[QueueEvidence.Act(action: "Refund", subject: row.id.text), default: []].count
            if refunds > 0 || audited > 0 {
                expect(
                    .actsAreAudited,
                    refunds == audited,
                    "\(row.id.text) has \(refunds) refunds, and the audit log \(audited)"
                )
            }
        }
    }

    /// The settings are those that the audit log tells of.
    private mutating func checkSettings(_ books: Books) {
        var told: [String: String] = [:]
        let settings = books.settings.filter { StoreSettings.Key(rawValue: $0.key) != nil }
        for link in books.audit where link.action == "ChangeSettings" {
            for change in link.detail.split(separator: " ") {
                if change == "reset_all" {
                    told = [:]
                    continue
                }
                let parts = change.split(separator: "=", maxSplits: 1).map(String.init)
                told[parts[0]] = parts.count == 2 && parts[1] != "(default)" ? parts[1] : nil
            }
        }
        if !told.isEmpty || !settings.isEmpty {
            expect(
                .actsAreAudited,
                told == settings,
                "the settings are \(settings), and the audit log tells of \(told)"
            )
        }
    }
}
