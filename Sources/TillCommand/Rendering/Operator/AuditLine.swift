import FoundationEssentials
import TillModel

/// What an operator did.
struct AuditLine: OutputLine {
    let link: AuditLink

    var text: String {
        let what = [link.action, link.subject, link.detail].filter { !$0.isEmpty }.joined(separator: "  ")
        return "\(link.sequence)  \(link.date.timestamp)  uid:\(link.uid)  \(what)  reason: \(link.reason)"
    }

    private enum Key: String, CodingKey {
        case sequence, date, uid, action, subject, detail, reason, hash
        case previousHash = "previous_hash"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(link.sequence, forKey: .sequence)
        try container.encode(link.date.timestamp, forKey: .date)
        try container.encode(link.uid, forKey: .uid)
        try container.encode(link.action, forKey: .action)
        try container.encode(link.subject, forKey: .subject)
        try container.encode(link.detail, forKey: .detail)
        try container.encode(link.reason, forKey: .reason)
        try container.encode(link.previousHash.hexadecimal, forKey: .previousHash)
        try container.encode(link.hash.hexadecimal, forKey: .hash)
    }
}
