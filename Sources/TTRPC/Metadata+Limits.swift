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
