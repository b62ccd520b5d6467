package import TillCrypto
package import TillModel

/// The signing secrets of a webhook endpoint (https://docs.stripe.com/webhooks#verify-official-libraries): several while
/// one replaces another.
package struct WebhookSecrets: Sendable, Redacted {
    /// The maximum number of secrets: Stripe lets a replaced one sign for a day at most.
    package static let countMaximum = 3
    /// The maximum length of a secret, in bytes. Stripe's have 38.
    package static let lengthMaximum = 255
    /// The maximum length of their file, in bytes.
    package static let fileMaximum = 1024

    /// What each secret begins with. It is a part of the secret.
    private static let prefix = "whsec_"

    let all: [Secret]

    /// - Parameter file: The text of a file, with a secret in each line that is not empty.
    /// - Throws: `invalidArgument`, without the text, if it does not have one to three secrets.
    package init(_ file: Secret) throws(TillError) {
        all = file.lines
        guard !all.isEmpty, all.count <= Self.countMaximum else {
            throw TillError(
                .invalidArgument,
                "The number of signing secrets is \(all.count): use 1 to \(Self.countMaximum), one in each line."
            )
        }
        guard all.allSatisfy({ $0.withText(Self.isSecret) }) else {
            throw TillError(
                .invalidArgument,
                "A line is not a signing secret of Stripe: use secrets that begin with \(Self.prefix)."
            )
        }
    }

    private static func isSecret(_ text: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count > prefix.utf8.count && text.utf8.count <= lengthMaximum
            && text.utf8.allSatisfy { UInt8(ascii: "!")...UInt8(ascii: "~") ~= $0 }
    }
}
