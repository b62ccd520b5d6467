import TillAudit

/// What a check of the audit log showed.
struct AuditVerificationLine: OutputLine {
    /// How many are intact, from the first.
    let linkCount: Int64
    /// Of the last that is intact.
    let lastHash: String
    let firstBadSequence: Int64?
    let flaw: AuditFlaw?
    let expected: String?
    /// Where the expected hash was found.
    let expectedSequence: Int64?

    /// What is wrong, in a sentence; nil for nothing.
    var fault: String? {
        if let firstBadSequence, let flaw {
            "entry \(firstBadSequence) \(flaw.predicate)."
        } else if expected != nil, expectedSequence == nil {
            "no entry has the expected hash, so its end was cut off or all of it rewritten."
        } else {
            nil
        }
    }

    var text: String {
        let count = linkCount == 1 ? "1 entry" : "\(linkCount) entries"
        let found = expectedSequence.map { ", the expected hash is that of entry \($0)" } ?? ""
        return "\(count) intact, the last hash is \(lastHash)\(found)"
    }

    private enum Key: String, CodingKey {
        case flaw
        case isIntact = "is_intact"
        case linkCount = "links"
        case lastHash = "last_hash"
        case firstBadSequence = "first_bad_sequence"
        case expectedSequence = "expected_sequence"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(fault == nil, forKey: .isIntact)
        try container.encode(linkCount, forKey: .linkCount)
        try container.encode(lastHash, forKey: .lastHash)
        try container.encodeIfPresent(firstBadSequence, forKey: .firstBadSequence)
        try container.encodeIfPresent(flaw?.name, forKey: .flaw)
        try container.encodeIfPresent(expectedSequence, forKey: .expectedSequence)
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
        case .outOfOrder: "is not where it was due: one was removed, inserted or moved"
        case .detached: "does not follow the one before: either was changed or exchanged"
        case .changed: "was changed after it was written"
        }
    }
}
