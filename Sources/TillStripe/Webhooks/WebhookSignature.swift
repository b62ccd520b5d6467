import TillCrypto
import TillModel

#if MUTANTS
    import Mutants
#endif

/// The header `Stripe-Signature`, which says when a webhook was sent and proves that its sender knows a secret
/// (https://docs.stripe.com/webhooks#verify-manually).
///
/// It is `t=1700000000,v1=5257…`, possibly with several `v1`, one for each secret in use. Parts of other schemes are
/// ignored: a sender that could choose a weaker scheme could forge a signature.
package struct WebhookSignature: Hashable, Sendable {
    /// The name of the header.
    package static let header = "Stripe-Signature"
    /// How much the time of a signature may differ from the clock, in seconds, as in Stripe's libraries. A webhook that
    /// is repeated within this time does no harm: it only makes the daemon ask Stripe.
    package static let tolerance: Int64 = 300
    /// The maximum length of the header, in bytes.
    package static let lengthMaximum = 2048
    /// The maximum number of signatures in the header; Stripe sends one for each secret in use.
    package static let signaturesMaximum = 16

    /// The decision about a webhook.
    package enum Verdict: Hashable, Sendable {
        case genuine
        case refused(WebhookRefusal)
    }

    /// The time as it was signed.
    private let timeText: String
    private let time: Int64
    private let codes: [[UInt8]]

    /// Reads a header; nil for one that is not as documented.
    init?(_ header: String) {
        guard header.utf8.count <= Self.lengthMaximum else {
            return nil
        }
        var times: [Substring] = []
        var codes: [[UInt8]] = []
        for part in header.split(separator: ",", omittingEmptySubsequences: false) {
            guard let mark = part.firstIndex(of: "=") else {
                return nil
            }
            let value = part[part.index(after: mark)...]
            switch part[..<mark] {
            case "t": times.append(value)
            case "v1": Self.code(value).map { codes.append($0) }
            default: break
            }
        }
        guard times.count == 1, let time = Self.time(times[0]), codes.count <= Self.signaturesMaximum else {
            return nil
        }
        timeText = String(times[0])
        self.time = time
        self.codes = codes
    }

    /// Decides whether a webhook is genuine: signed with one of the secrets, at about this time.
    ///
    /// - Parameters:
    ///   - headers: The values of all headers of the name ``header``.
    ///   - body: The body as it arrived.
    ///   - now: Unix time.
    package static func verdict(
        _ headers: [String],
        body: [UInt8],
        secrets: WebhookSecrets,
        now: Int64
    ) -> Verdict {
        #if MUTANTS
            if Mutant.unsignedWebhook.isPlanted {
                return .genuine
            }
        #endif
        guard !headers.isEmpty else {
            return .refused(.noSignature)
        }
        // With several headers, this program and the proxy before it might each believe another one.
        guard headers.count == 1, let signature = WebhookSignature(headers[0]) else {
            return .refused(.malformedSignature)
        }
        guard signature.isMade(of: body, with: secrets) else {
            return .refused(.wrongSignature)
        }
        return signature.isCurrent(at: now) ? .genuine : .refused(.wrongTime)
    }

    /// Compares each signature with each secret's, so that the time it takes does not depend on which one is right.
    private func isMade(of body: [UInt8], with secrets: WebhookSecrets) -> Bool {
        let message = Array("\(timeText).".utf8) + body
        var isMade = false
        for secret in secrets.all {
            guard let expected = AuthenticationCode(of: message, key: secret) else {
                continue
            }
            for code in codes where expected.matches(code) {
                isMade = true
            }
        }
        return isMade
    }

    private func isCurrent(at now: Int64) -> Bool {
        let (difference, isTooLarge) = now.subtractingReportingOverflow(time)
        return !isTooLarge && difference.magnitude <= UInt64(Self.tolerance)
    }

    /// The time, which is written in at most 18 digits, so that it fits.
    private static func time(_ text: Substring) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// The bytes of a signature in hexadecimal; nil for another text, which is not a signature.
    private static func code(_ text: Substring) -> [UInt8]? {
        text.utf8.count == 2 * AuthenticationCode.byteCount ? [UInt8](hexadecimal: text) : nil
    }
}
