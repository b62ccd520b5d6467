package import TillCrypto
package import TillModel

/// A secret key of Stripe's API (https://docs.stripe.com/keys).
package struct StripeKey: Sendable, Redacted {
    /// What the key may do.
    package enum Kind: Hashable, Sendable {
        /// Everything.
        case secret
        /// What the Dashboard allows it.
        case restricted
    }

    /// The mode that the key belongs to; objects of one mode cannot be seen in the other.
    package enum Mode: String, Hashable, Sendable {
        /// Nothing moves money.
        case test
        case live
    }

    package let kind: Kind
    package let mode: Mode
    private let secret: Secret

    package static let lengthMaximum = 255

    /// - Parameter secret: The key's text, which may end with a newline.
    /// - Throws: `invalidArgument`, without the text, if it is not a secret key.
    package init(_ secret: Secret) throws(TillError) {
        (kind, mode) = try secret.withText { (text) throws(TillError) in try Self.read(Self.trimmed(text)) }
        self.secret = secret
    }

    /// The key as it is sent.
    func withText<Value>(_ body: (String) -> Value) -> Value {
        secret.withText { body(String(Self.trimmed($0))) }
    }

    private static func trimmed(_ text: String) -> Substring {
        text.hasSuffix("\n") ? text.dropLast() : text[...]
    }

    private static func read(_ text: Substring) throws(TillError) -> (Kind, Mode) {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = kinds[String(parts[0])], let mode = Mode(rawValue: String(parts[1])),
            !parts[2].isEmpty, text.utf8.count <= lengthMaximum, parts[2].utf8.allSatisfy(isAllowed)
        else {
            throw TillError(
                .invalidArgument,
                "This is not a secret key of Stripe: use one that begins with rk_live_, sk_live_, rk_test_ or sk_test_."
            )
        }
        return (kind, mode)
    }

    private static let kinds: [String: Kind] = ["sk": .secret, "rk": .restricted]

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}
