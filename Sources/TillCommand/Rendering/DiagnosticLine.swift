import TillCatalogue

/// One thing that is wrong with a catalogue file, or worth a look.
struct DiagnosticLine: OutputLine {
    let diagnostic: Diagnostic

    var text: String {
        "\(diagnostic)"
    }

    private enum Key: String, CodingKey {
        case severity, file, message
        case productID = "product_id"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(diagnostic.severity.rawValue, forKey: .severity)
        try container.encode(diagnostic.file, forKey: .file)
        try container.encodeIfPresent(diagnostic.product, forKey: .productID)
        try container.encode(diagnostic.message, forKey: .message)
    }
}
