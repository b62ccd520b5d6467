import FoundationEssentials

/// How receipts are written: sorted keys, so that the same facts give the same bytes, and nothing that need not be
/// escaped.
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

    /// Whether the bytes are one JSON object in UTF-8, which the decoder asks of no text that it does not read.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
            && (try? decoder.decode(AnyObject.self, from: Data(bytes))) != nil
    }

    /// Takes an object whatever its members are.
    private struct AnyObject: Decodable {
        private enum Key: CodingKey {}

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Key.self)
        }
    }
}
