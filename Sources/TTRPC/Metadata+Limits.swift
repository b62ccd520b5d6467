extension Metadata {
    /// The most pairs a request may carry.
    static let pairsMaximum = 16
    /// The most UTF-8 bytes of a key.
    static let keyLengthMaximum = 64
    /// The most UTF-8 bytes of a value.
    static let valueLengthMaximum = 1024
    /// The key under which a client names its call, so that another call can end it.
    static let callIDKey = "call-id"

    static let tooManyPairs = RPCError(
        code: .resourceExhausted,
        message: "a request carries at most \(pairsMaximum) metadata pairs"
    )

    /// Throws when there is more than a request may carry.
    func checkLimits() throws(RPCError) {
        guard pairs.count <= Self.pairsMaximum else { throw Self.tooManyPairs }
        for pair in pairs {
            try Self.check(pair.key, "key", lengthMaximum: Self.keyLengthMaximum)
            try Self.check(pair.value, "value", lengthMaximum: Self.valueLengthMaximum)
        }
    }

    private static func check(_ text: String, _ what: String, lengthMaximum: Int) throws(RPCError) {
        guard text.utf8.count > lengthMaximum else { return }
        let message = "a metadata \(what) has at most \(lengthMaximum) bytes"
        throw RPCError(code: .resourceExhausted, message: message)
    }
}
