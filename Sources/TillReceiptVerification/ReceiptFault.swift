/// The reason why a receipt is not trustworthy.
package enum ReceiptFault: Error, Hashable {
    /// The receipt is longer than any valid receipt.
    case tooLarge(bytes: Int)
    /// The receipt is not a JWS of a receipt; the text is one clause.
    case malformed(String)
    /// The signature's algorithm is not ES256.
    case algorithm(String)
    /// The number of certificates is not three.
    case chainLength(Int)
    /// A certificate of the chain is malformed or not allowed at its place; the text is one clause.
    case certificate(String)
    /// The chain does not end in a trusted root.
    case foreignRoot
    /// The certificates do not sign each other, or were not valid at the date of the signature.
    case chain(String)
    /// The receipt was not signed with the chain's key, or was changed later.
    case signature
    /// The receipt is for another application.
    case application(String)
    /// The receipt is renewal information, which names no application, but an application was required.
    case unnamedApplication
    /// The receipt is for another environment.
    case environment(String)

    /// A description in one sentence.
    package var message: String {
        switch self {
        case .tooLarge(let bytes): "The receipt is too large: \(bytes) bytes."
        case .malformed(let reason): "The receipt cannot be read: \(reason)."
        case .algorithm(let name): "The receipt's algorithm is \(name): only ES256 is allowed."
        case .chainLength(let count): "The receipt has \(count) certificates: exactly 3 are required."
        case .certificate(let reason): "The receipt's certificates are not a store's: \(reason)."
        case .foreignRoot: "The receipt's certificates do not end in the given root."
        case .chain(let reason): "The receipt's certificates were not valid when it was signed: \(reason)."
        case .signature: "The receipt's signature is wrong: it was changed, or not signed by its certificate."
        case .application(let name): "The receipt belongs to the application \(name)."
        case .unnamedApplication:
            "Renewal information names no application: verify it without --application and TILL_APPLICATION."
        case .environment(let name): "The receipt's environment is \(name)."
        }
    }
}

extension ReceiptFault: CustomStringConvertible {
    package var description: String { message }
}
