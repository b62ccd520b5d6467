import Crypto
package import TillModel

/// The hashes that chain the audit log, and what they prove.
///
/// The hash of a link is SHA-256 of its fields one after another, in this order and without anything between:
///
/// | field | bytes |
/// |---|---|
/// | the text `till-audit-1` | text |
/// | hash of the link before; 32 zeros before the first | 32 |
/// | sequence | 8 |
/// | date in milliseconds since 1970 | 8 |
/// | uid | 4 |
/// | action, subject, detail, reason | four texts |
///
/// Numbers are big-endian in two's complement. A text is its length in bytes as a number of 8 bytes, and then its UTF-8.
/// No two different links have the same bytes.
///
/// Whoever can rewrite the whole log can chain it anew, and a tail that is cut off leaves no trace: a head kept elsewhere
/// is what shows either.
package enum AuditChain {
    private static let version = "till-audit-1"

    /// What the hash of the link has to be, given the rest of it.
    package static func hash(of link: AuditLink) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: version)
        bytes += link.previousHash
        bytes.append(number: link.sequence)
        bytes.append(number: link.date.millisecondsSince1970)
        bytes.append(number: link.uid)
        [link.action, link.subject, link.detail, link.reason].forEach { bytes.append(text: $0) }
        return Array(SHA256.hash(data: bytes))
    }

    /// Checks that the links follow `head` and one another, unchanged and complete.
    ///
    /// - Parameters:
    ///   - links: In the order of the log: a page of it, or all.
    ///   - head: The last link before them; for the next page, what the call before returned.
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
