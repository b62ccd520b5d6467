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
