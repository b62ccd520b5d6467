import CCrypto

/// An HMAC-SHA256 (RFC 2104) of a message.
package struct AuthenticationCode: Sendable {
    package static let byteCount = Int(SHA256_DIGEST_LENGTH)

    private let bytes: [UInt8]

    /// Computes the code; nil if OpenSSL gets no memory for it.
    package init?(of message: [UInt8], key: Secret) {
        var isComputed = false
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { code, count in
            var length: UInt32 = 0
            isComputed = unsafe key.withBytes { key in
                let (start, count) = (key.baseAddress, CInt(clamping: key.count))
                return unsafe HMAC(EVP_sha256(), start, count, message, message.count, code.baseAddress, &length) != nil
            }
            count = isComputed ? Self.byteCount : 0
        }
        guard isComputed else {
            return nil
        }
    }

    /// Whether these bytes are the code. The time that this takes does not depend on which bytes differ.
    package func matches(_ other: [UInt8]) -> Bool {
        guard other.count == bytes.count else {
            return false
        }
        return unsafe CRYPTO_memcmp(bytes, other, bytes.count) == 0
    }
}
