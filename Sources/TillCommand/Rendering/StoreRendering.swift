import FoundationEssentials
import TillModel
import TillOutput

/// A setting of the store.
struct SettingLine: TableRow {
    static let headings = ["NAME", "VALUE", "CHANGED", "ALLOWED"]

    let setting: Setting

    var columns: [String] {
        [setting.name, setting.value, setting.isChanged ? "yes" : "no", setting.domain]
    }

    var json: JSONObject {
        [
            "name": setting.name,
            "value": setting.value,
            "domain": setting.domain,
            "is_changed": setting.isChanged,
        ]
    }
}

/// A reading of the store's clock.
struct ClockLine: OutputLine {
    let reading: ClockReading

    var text: String {
        let offset = reading.offset == .zero ? "the machine's time" : "\(TimeSpan(reading.offset)) ahead of the machine"
        let limit = reading.isAdjustable ? "" : ", cannot be advanced"
        return "\(reading.now.timestamp)  \(offset)\(limit)"
    }

    var json: JSONObject {
        let (seconds, attoseconds) = reading.offset.components
        return [
            "now": reading.now,
            "offset_ms": seconds * 1000 + attoseconds / 1_000_000_000_000_000,
            "is_adjustable": reading.isAdjustable,
        ]
    }
}

/// An operator's action, as the audit log has it.
struct AuditLine: OutputLine {
    let link: AuditLink

    var text: String {
        let what = [link.action, link.subject, link.detail].filter { !$0.isEmpty }.joined(separator: "  ")
        return "\(link.sequence)  \(link.date.timestamp)  \(link.user)  \(what)  reason: \(link.reason)"
    }

    var json: JSONObject {
        [
            "sequence": link.sequence,
            "date": link.date,
            "uid": link.uid,
            "host": link.host.isEmpty ? nil : link.host,
            "action": link.action,
            "subject": link.subject,
            "detail": link.detail,
            "reason": link.reason,
            "previous_hash": link.previousHash.hexadecimal,
            "hash": link.hash.hexadecimal,
        ]
    }
}
