import FoundationEssentials
import TillModel

/// A download.
struct DownloadLine: OutputLine {
    let download: Download

    /// The content and its product, state, then what there is, by name.
    var text: String {
        let content = "\(download.content.identifier) \(download.content.version)"
        let details = details.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return "\(content)  \(download.state.name)  \(details)\(download.error.map { "  \($0.message)" } ?? "")"
    }

    private var details: [(name: String, value: String)] {
        let optional: [(name: String, value: String?)] = [
            ("id", download.id.text),
            ("product", download.productID),
            ("bytes", "\(download.receivedBytes)/\(download.content.length)"),
            ("remaining", download.timeRemaining.map { "\($0.components.seconds)s" }),
            ("transaction", download.transactionID.text),
            ("path", download.contentPath),
            ("reason", download.error?.reason.words(separator: "-")),
        ]
        return optional.compactMap { detail in detail.value.map { (detail.name, $0) } }
    }

    private enum Key: String, CodingKey {
        case id, state, version, length, progress, error, reason, path
        case transactionID = "transaction_id"
        case productID = "product_id"
        case contentIdentifier = "content_identifier"
        case receivedBytes = "received_bytes"
        case timeRemaining = "time_remaining_seconds"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(download.id.text, forKey: .id)
        try container.encode(download.transactionID.text, forKey: .transactionID)
        try container.encode(download.productID, forKey: .productID)
        try container.encode(download.content.identifier, forKey: .contentIdentifier)
        try container.encode(download.content.version, forKey: .version)
        try container.encode(download.content.length, forKey: .length)
        try container.encode(download.state.name, forKey: .state)
        try container.encode(download.receivedBytes, forKey: .receivedBytes)
        try container.encodeIfPresent(download.timeRemaining.map { $0 / .seconds(1) }, forKey: .timeRemaining)
        try container.encodeIfPresent(download.error?.message, forKey: .error)
        try container.encodeIfPresent(download.error?.reason.name, forKey: .reason)
        try container.encodeIfPresent(download.contentPath, forKey: .path)
    }
}
