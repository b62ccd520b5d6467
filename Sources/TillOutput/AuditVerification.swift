package import TillAudit
package import TillModel

/// Verifies an audit log entry by entry.
package struct AuditVerification {
    /// An earlier hash in hexadecimal, if the user gave one.
    package let expected: String?
    private var head = AuditHead.start
    private var broken: (sequence: Int64, flaw: AuditFlaw)?
    private var expectedSequence: Int64?

    package init(expected: String?) {
        self.expected = expected
        compareHead()
    }

    /// Whether all entries so far are unchanged.
    package var isIntact: Bool {
        broken == nil
    }

    package mutating func look(at link: AuditLink) {
        guard isIntact else {
            return
        }
        switch AuditChain.verify(CollectionOfOne(link), after: head) {
        case .intact(let next):
            head = next
            compareHead()
        case .broken(let sequence, let flaw):
            broken = (sequence, flaw)
        }
    }

    package var result: AuditVerificationLine {
        AuditVerificationLine(
            linkCount: head.sequence,
            lastHash: head.hash.hexadecimal,
            firstBadSequence: broken?.sequence,
            flaw: broken?.flaw,
            expected: expected,
            expectedSequence: expectedSequence
        )
    }

    /// Notes the position of the expected hash.
    private mutating func compareHead() {
        if head.hash.hexadecimal == expected {
            expectedSequence = head.sequence
        }
    }
}

/// The result of verifying the audit log.
package struct AuditVerificationLine: OutputLine {
    /// The number of intact entries before the first bad one.
    package let linkCount: Int64
    /// The hash of the last intact entry.
    package let lastHash: String
    package let firstBadSequence: Int64?
    package let flaw: AuditFlaw?
    let expected: String?
    /// The number of the entry with the expected hash.
    package let expectedSequence: Int64?

    /// A sentence about the fault; nil if the log is intact.
    package var fault: String? {
        if let firstBadSequence, let flaw {
            "entry \(firstBadSequence) \(flaw.predicate)."
        } else if expected != nil, expectedSequence == nil {
            "no entry has the expected hash, so the log was truncated or rewritten."
        } else {
            nil
        }
    }

    package var text: String {
        let count = linkCount == 1 ? "1 entry" : "\(linkCount) entries"
        let found = expectedSequence.map { "; entry \($0) has the expected hash" } ?? ""
        return "\(count) intact, the last hash is \(lastHash)\(found)"
    }

    package var json: JSONObject {
        [
            "is_intact": fault == nil,
            "links": linkCount,
            "last_hash": lastHash,
            "first_bad_sequence": firstBadSequence,
            "flaw": flaw?.name,
            "expected_sequence": expectedSequence,
        ]
    }
}

extension AuditFlaw {
    fileprivate var name: String {
        switch self {
        case .outOfOrder: "out_of_order"
        case .detached: "detached"
        case .changed: "changed"
        }
    }

    fileprivate var predicate: String {
        switch self {
        case .outOfOrder: "is out of order: an entry was removed, inserted or moved"
        case .detached: "does not follow the previous entry: one of them was changed or replaced"
        case .changed: "was changed after it was written"
        }
    }
}
