package import TillModel

/// A secret key of Stripe's API (https://docs.stripe.com/keys). Its text appears in no description.
package struct StripeKey: Hashable, Sendable, CustomStringConvertible {
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
    /// The key as it is sent.
    let text: String

    private static let lengthMaximum = 255

    /// - Throws: `invalidArgument`, without the text, if it is not a secret key.
    package init(_ text: String) throws(TillError) {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Self.kinds[String(parts[0])], let mode = Mode(rawValue: String(parts[1])),
            !parts[2].isEmpty, text.utf8.count <= Self.lengthMaximum, parts[2].utf8.allSatisfy(Self.isAllowed)
        else {
            throw TillError(
                .invalidArgument,
                "This is not a secret key of Stripe: use one that begins with rk_live_, sk_live_, rk_test_ or sk_test_."
            )
        }
        self.kind = kind
        self.mode = mode
        self.text = text
    }

    package var description: String {
        "a \(kind) key of \(mode.rawValue) mode"
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
