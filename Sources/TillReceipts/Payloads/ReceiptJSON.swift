import FoundationEssentials

/// The JSON format of receipts: sorted keys, so that the same facts result in the same bytes, and minimal escaping.
enum ReceiptJSON {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()

    static func encode(_ value: some Encodable) throws -> Data {
        try encoder.encode(value)
    }

    /// Whether the bytes are one JSON object in valid UTF-8. UTF-8 is checked separately because the decoder does not
    /// check strings that it skips.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
            && (try? decoder.decode(AnyObject.self, from: Data(bytes))) != nil
    }

    /// Decodes any object, ignoring its members.
    private struct AnyObject: Decodable {
        private enum Key: CodingKey {}

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Key.self)
        }
    }
}
