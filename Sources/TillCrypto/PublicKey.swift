import CCrypto

/// A public key of a certificate.
package struct PublicKey: Sendable {
    package enum Kind: Hashable, Sendable {
        case p256, p384, p521, rsa, ed25519
    }

    package let kind: Kind
    /// The subject's public key as X.509 has it: for curves of NIST, an uncompressed point (SEC 1, section 2.3.3).
    package let bytes: [UInt8]
    let object: CryptoObject

    /// - Throws: `CryptoFailure` for other kinds of keys, for curves that are not named, and for compressed points.
    init(_ object: CryptoObject, subjectBytes: [UInt8]? = nil) throws(CryptoFailure) {
        guard let kind = unsafe object.use({ unsafe Self.kind($0) }) else {
            throw CryptoFailure("The kind of the key is not supported")
        }
        let bytes = unsafe subjectBytes ?? object.use { unsafe Self.point($0) }
        if let count = kind.pointBytes, bytes.first != 4 || bytes.count != count {
            throw CryptoFailure("The key is not an uncompressed point of its curve")
        }
        self.kind = kind
        self.bytes = bytes
        self.object = object
    }

    private static func kind(_ key: OpaquePointer) -> Kind? {
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA:
            return .rsa
        case EVP_PKEY_ED25519:
            return .ed25519
        case EVP_PKEY_EC:
            var isExplicit: CInt = 1
            let name = OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS
            guard unsafe EVP_PKEY_get_int_param(key, name, &isExplicit) == 1, isExplicit == 0 else {
                return nil
            }
            return unsafe curve(key)
        default:
            return nil
        }
    }

    private static func curve(_ key: OpaquePointer) -> Kind? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else {
            return nil
        }
        return switch String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) {
        case SN_X9_62_prime256v1: .p256
        case SN_secp384r1: .p384
        case SN_secp521r1: .p521
        default: nil
        }
    }

    private static func point(_ key: OpaquePointer) -> [UInt8] {
        var memory: UnsafeMutablePointer<UInt8>?
        let count = unsafe EVP_PKEY_get1_encoded_public_key(key, &memory)
        defer { unsafe till_crypto_free(memory) }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: unsafe memory == nil ? 0 : count))
    }

    /// The key's identifier in certificates: the SHA-1 of its bytes (RFC 5280, section 4.2.1.2).
    package var identifier: [UInt8] {
        get throws(CryptoFailure) {
            let hash = unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA_DIGEST_LENGTH)) { hash, count in
                let isDone = unsafe SHA1(bytes, bytes.count, hash.baseAddress) != nil
                count = isDone ? Int(SHA_DIGEST_LENGTH) : 0
            }
            guard !hash.isEmpty else {
                throw CryptoFailure("The key cannot be identified")
            }
            return hash
        }
    }

    /// Whether the signature is by this key's owner over the hash. Only keys of P-256 verify.
    package func isValid(_ signature: Signature, for digest: SHA256Digest) -> Bool {
        guard kind == .p256 else {
            return false
        }
        defer { ERR_clear_error() }
        return unsafe object.use { key in
            guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else {
                return false
            }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            let (signature, digest) = (signature.der, digest.bytes)
            return unsafe EVP_PKEY_verify_init(context) == 1
                && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
        }
    }
}

extension PublicKey: Equatable {
    package static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.kind == right.kind && left.bytes == right.bytes
    }
}

extension PublicKey.Kind {
    /// The length of an uncompressed point; nil for keys that are not points of NIST's curves.
    fileprivate var pointBytes: Int? {
        switch self {
        case .p256: 65
        case .p384: 97
        case .p521: 133
        case .rsa, .ed25519: nil
        }
    }
}
