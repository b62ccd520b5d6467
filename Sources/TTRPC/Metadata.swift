/// The key and value pairs that travel with a request, in the order they were sent.
public struct Metadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One key with one value.
    public struct Pair: Hashable, Sendable {
        /// The key; several pairs may share one.
        public var key: String
        /// The value.
        public var value: String

        /// Makes a pair.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The pairs in order.
    public var pairs: [Pair]

    /// Makes metadata of pairs in order.
    public init(_ pairs: [Pair] = []) {
        self.pairs = pairs
    }

    /// Makes metadata of a literal's pairs, in the literal's order.
    public init(dictionaryLiteral elements: (String, String)...) {
        pairs = elements.map { Pair(key: $0.0, value: $0.1) }
    }

    /// The first value of a key.
    public subscript(key: String) -> String? {
        pairs.first { $0.key == key }?.value
    }
}
