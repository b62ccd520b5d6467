import TillCrypto
package import TillModel

/// The hash chain of the audit log.
///
/// The hash of a link is SHA-256 of its fields one after another, in this order and without anything between:
///
/// | field | bytes |
/// |---|---|
/// | the text `till-audit-1`; with a host `till-audit-2` | text |
/// | hash of the link before; 32 zeros before the first | 32 |
/// | sequence | 8 |
/// | date in milliseconds since 1970 | 8 |
/// | uid | 4 |
/// | action, subject, detail, reason | four texts |
/// | host, unless it is empty | text |
///
/// Numbers are big-endian in two's complement. A text is its length in bytes as a number of 8 bytes, and then its UTF-8.
/// No two different links have the same bytes.
///
/// A user who can rewrite the whole log can compute a new chain, and a removed tail leaves no trace: only a head that
/// is stored elsewhere reveals either.
package enum AuditChain {
    /// The correct hash of a link, given its other fields.
    package static func hash(of link: AuditLink) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: link.host.isEmpty ? "till-audit-1" : "till-audit-2")
        bytes += link.previousHash
        bytes.append(number: link.sequence)
        bytes.append(number: link.date.millisecondsSince1970)
        bytes.append(number: link.uid)
        [link.action, link.subject, link.detail, link.reason].forEach { bytes.append(text: $0) }
        if !link.host.isEmpty {
            bytes.append(text: link.host)
        }
        return SHA256Digest(of: bytes).bytes
    }

    /// Checks that the links follow `head` and one another, unchanged and complete.
    ///
    /// - Parameters:
    ///   - links: A page of the log or all of it, in order.
    ///   - head: The last link before them; for the next page, the head that the previous call returned.
    package static func verify(_ links: some Sequence<AuditLink>, after head: AuditHead) -> AuditVerdict {
        var head = head
        for link in links {
            let (sequence, isLast) = head.sequence.addingReportingOverflow(1)
            if let flaw = isLast ? .outOfOrder : flaw(of: link, sequence: sequence, after: head) {
                return .broken(at: isLast ? head.sequence : sequence, flaw)
            }
            head = AuditHead(sequence: sequence, hash: link.hash)
        }
        return .intact(head)
    }

    private static func flaw(of link: AuditLink, sequence: Int64, after head: AuditHead) -> AuditFlaw? {
        if link.sequence != sequence {
            .outOfOrder
        } else if link.previousHash != head.hash {
            .detached
        } else if link.hash != hash(of: link) {
            .changed
        } else {
            nil
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    fileprivate mutating func append(text: String) {
        let utf8 = text.utf8
        append(number: Int64(utf8.count))
        append(contentsOf: utf8)
    }
}

/// The link up to which an audit log is intact.
package struct AuditHead: Hashable, Sendable {
    /// Before the first link.
    package static let start = AuditHead(sequence: 0, hash: [UInt8](repeating: 0, count: 32))

    package var sequence: Int64
    /// The hash of that link.
    package var hash: [UInt8]

    package init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }
}

/// The result of verifying an audit log.
package enum AuditVerdict: Hashable, Sendable {
    /// No link was changed, removed, inserted or moved up to this head.
    case intact(AuditHead)
    /// The log cannot be trusted from this sequence on.
    case broken(at: Int64, AuditFlaw)
}

/// The first flaw of an audit log.
package enum AuditFlaw: Hashable, Sendable {
    /// The sequence is not the next one: a link was removed, inserted or moved.
    case outOfOrder
    /// The link does not have the hash of the previous one: one of the two was changed or replaced.
    case detached
    /// The link does not match its own hash.
    case changed
}
