/// The key-value pairs of a request, in the order they were sent.
public struct Metadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One key with one value.
    public struct Pair: Hashable, Sendable {
        /// The key; several pairs may share one.
        public var key: String
        /// The value.
        public var value: String

        /// Creates a pair.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The pairs in order.
    public var pairs: [Pair]

    /// Creates metadata from pairs, keeping their order.
    public init(_ pairs: [Pair] = []) {
        self.pairs = pairs
    }

    /// Creates metadata from a literal's pairs, keeping their order.
    public init(dictionaryLiteral elements: (String, String)...) {
        pairs = elements.map { Pair(key: $0.0, value: $0.1) }
    }

    /// The first value of a key.
    public subscript(key: String) -> String? {
        pairs.first { $0.key == key }?.value
    }
}

extension Metadata {
    /// The maximum number of pairs in a request.
    static let pairsMaximum = 16
    /// The maximum length of a key in UTF-8 bytes.
    static let keyLengthMaximum = 64
    /// The maximum length of a value in UTF-8 bytes.
    static let valueLengthMaximum = 1024
    /// The key with which a client names a call so that another call can cancel it.
    static let callIDKey = "call-id"

    static let tooManyPairs = RPCError(
        code: .resourceExhausted,
        message: "a request may carry at most \(pairsMaximum) metadata pairs"
    )

    /// Throws if the metadata exceeds the limits of a request.
    func checkLimits() throws(RPCError) {
        guard pairs.count <= Self.pairsMaximum else { throw Self.tooManyPairs }
        for pair in pairs {
            try Self.check(pair.key, "key", lengthMaximum: Self.keyLengthMaximum)
            try Self.check(pair.value, "value", lengthMaximum: Self.valueLengthMaximum)
        }
    }

    private static func check(_ text: String, _ what: String, lengthMaximum: Int) throws(RPCError) {
        guard text.utf8.count > lengthMaximum else { return }
        let message = "a metadata \(what) may have at most \(lengthMaximum) bytes"
        throw RPCError(code: .resourceExhausted, message: message)
    }
}
