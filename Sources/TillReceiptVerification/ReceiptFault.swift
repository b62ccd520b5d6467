/// Why a receipt is not to be trusted.
package enum ReceiptFault: Error, Hashable {
    /// It is longer than any receipt.
    case tooLarge(bytes: Int)
    /// It is no JWS of a receipt: what is wrong, as one clause.
    case malformed(String)
    /// The signature is by another algorithm than ES256.
    case algorithm(String)
    /// Not exactly three certificates.
    case chainLength(Int)
    /// A certificate of the chain cannot be read, or may not stand in its place: what is wrong, as one clause.
    case certificate(String)
    /// The chain does not end in a root that is trusted.
    case foreignRoot
    /// The certificates do not sign each other, or are not valid at the date of the signature.
    case chain(String)
    /// It was not signed with the chain's key, or was changed since.
    case signature
    /// It is of another application.
    case application(String)
    /// It is renewal information, which names no application, where one was asked for.
    case unnamedApplication
    /// It is of another environment.
    case environment(String)

    /// One sentence for people.
    package var message: String {
        switch self {
        case .tooLarge(let bytes): "The receipt is too large: \(bytes) bytes."
        case .malformed(let reason): "The receipt cannot be read: \(reason)."
        case .algorithm(let name): "The receipt's algorithm is \(name) where it must be ES256."
        case .chainLength(let count): "The receipt has \(count) certificates where it must have 3."
        case .certificate(let reason): "The receipt's certificates are not a store's: \(reason)."
        case .foreignRoot: "The receipt's certificates do not end in the given root."
        case .chain(let reason): "The receipt's certificates were not valid when it was signed: \(reason)."
        case .signature: "The receipt's signature is wrong: it was changed, or not signed by its certificate."
        case .application(let name): "The receipt is of the application \(name)."
        case .unnamedApplication:
            "Renewal information names no application: verify it without --application and TILL_APPLICATION."
        case .environment(let name): "The receipt is of the environment \(name)."
        }
    }
}

extension ReceiptFault: CustomStringConvertible {
    package var description: String { message }
}
