import TillAudit
import TillModel

/// Checks an audit log link by link.
struct AuditVerification {
    /// Hexadecimal: a hash that was noted before.
    let expected: String?
    private var head = AuditHead.start
    private var broken: (sequence: Int64, flaw: AuditFlaw)?
    private var expectedSequence: Int64?

    init(expected: String?) {
        self.expected = expected
        note()
    }

    /// Whether everything up to here is as it was written.
    var isIntact: Bool {
        broken == nil
    }

    mutating func look(at link: AuditLink) {
        guard isIntact else {
            return
        }
        switch AuditChain.verify(CollectionOfOne(link), after: head) {
        case .intact(let next):
            head = next
            note()
        case .broken(let sequence, let flaw):
            broken = (sequence, flaw)
        }
    }

    var result: AuditVerificationLine {
        AuditVerificationLine(
            linkCount: head.sequence,
            lastHash: head.hash.hexadecimal,
            firstBadSequence: broken?.sequence,
            flaw: broken?.flaw,
            expected: expected,
            expectedSequence: expectedSequence
        )
    }

    private mutating func note() {
        if head.hash.hexadecimal == expected {
            expectedSequence = head.sequence
        }
    }
}
