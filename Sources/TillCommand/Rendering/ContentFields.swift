import TillModel

/// A piece of content that the store hosts, within other output.
struct ContentFields: Encodable {
    let content: ProductContent

    private enum Key: String, CodingKey {
        case identifier, version, length
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(content.identifier, forKey: .identifier)
        try container.encode(content.version, forKey: .version)
        try container.encode(content.length, forKey: .length)
    }
}
