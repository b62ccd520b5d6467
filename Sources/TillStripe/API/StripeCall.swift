import TillCrypto
import TillModel

/// A call of Stripe's API.
package struct StripeCall: Sendable {
    /// The operation without the ids in its path, for limits on the rate.
    package let endpoint: String
    /// The path with its ids.
    let path: String
    /// The form's fields, which a GET sends in its query.
    let fields: [(name: String, value: String)]
    /// Repeats with the same key are answered like the first call (https://docs.stripe.com/api/idempotent_requests).
    package var key: String?
    /// The number of the key: Stripe keeps the answer of a key, even that it failed.
    var keyNumber = 1
    let isPost: Bool
    /// Whether the payer waits for it, so that it precedes others.
    var isUrgent = true

    package static func get(_ endpoint: String, _ id: String = "", _ fields: [(String, String)] = []) -> StripeCall {
        StripeCall(endpoint, id, fields, isPost: false)
    }

    /// - Parameters:
    ///   - endpoint: The path, in which `*` stands for the id.
    ///   - identity: What makes the object's identity, for a call that makes one. The key consists of it and of the hash of
    ///     all fields, because Stripe refuses a key that it knows with others.
    package static func post(
        _ endpoint: String,
        _ id: String = "",
        _ fields: [(String, String)] = [],
        keyOf identity: String? = nil
    ) -> StripeCall {
        var call = StripeCall(endpoint, id, fields, isPost: true)
        call.key = identity.map { "\($0):\(SHA256Digest(of: call.form.utf8).bytes.prefix(8).hexadecimal)" }
        return call
    }

    private init(_ endpoint: String, _ id: String, _ fields: [(String, String)], isPost: Bool) {
        self.endpoint = (isPost ? "POST " : "GET ") + endpoint
        path = endpoint.replacing("*", with: Self.encoded(id))
        self.fields = fields.map { (name: $0.0, value: $0.1) }
        self.isPost = isPost
    }

    /// The key as it is sent.
    var numberedKey: String? {
        key.map { keyNumber == 1 ? $0 : "\($0):\(keyNumber)" }
    }

    /// The fields as `application/x-www-form-urlencoded`.
    var form: String {
        fields.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    /// The text with everything but unreserved characters percent-encoded (RFC 3986, section 2.3).
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
