import CCrypto

/// A private key that signs with ECDSA; printing it does not reveal it.
package struct SigningKey: Sendable {
    /// The largest encoding that is read; keys of P-384 have less than 300 bytes.
    package static let bytesMaximum = 4 * 1024
    /// The largest signature in DER, of P-384.
    private static let signatureBytesMaximum = 104

    package let curve: Curve
    package let publicKey: PublicKey
    private let object: CryptoObject

    /// Creates a key.
    package init(_ curve: Curve = .p256) throws(CryptoFailure) {
        try unsafe self.init(
            CryptoObject(till_crypto_generate_key(curve.name), { unsafe EVP_PKEY_free($0) }, "No key can be created")
        )
    }

    /// Reads a key of P-256 or P-384 in PKCS #8 or RFC 5915 format, without a passphrase.
    package init(der: [UInt8]) throws(CryptoFailure) {
        let clause = "The key cannot be read"
        guard der.count <= Self.bytesMaximum else {
            throw CryptoFailure(clause)
        }
        let pointer = unsafe decoded(der, { unsafe EVP_PKEY_free($0) }) { unsafe d2i_AutoPrivateKey(nil, $0, $1) }
        try unsafe self.init(CryptoObject(pointer, { unsafe EVP_PKEY_free($0) }, clause))
        // An encoding may contain a public key that does not belong to the private one. For keys of other kinds, which
        // are refused before, this check can take seconds.
        guard unsafe object.use({ unsafe Self.isConsistent($0) }) else {
            throw CryptoFailure(clause)
        }
    }

    private init(_ object: CryptoObject) throws(CryptoFailure) {
        publicKey = try PublicKey(object)
        switch publicKey.kind {
        case .p256: curve = .p256
        case .p384: curve = .p384
        case .p521, .rsa, .ed25519: throw CryptoFailure("The key is not a key of P-256 or P-384")
        }
        self.object = object
        // Reading a key may leave the errors of formats that were tried first.
        ERR_clear_error()
    }

    private static func isConsistent(_ key: OpaquePointer) -> Bool {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else {
            return false
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe EVP_PKEY_private_check(context) == 1 && EVP_PKEY_pairwise_check(context) == 1
    }

    /// The key in PKCS #8 format.
    package var der: [UInt8] {
        get throws(CryptoFailure) {
            let der = unsafe object.use { (key) -> [UInt8]? in
                guard let information = unsafe EVP_PKEY2PKCS8(key) else {
                    return nil
                }
                defer { unsafe PKCS8_PRIV_KEY_INFO_free(information) }
                return unsafe encoded { unsafe i2d_PKCS8_PRIV_KEY_INFO(information, $0) }
            }
            guard let der else {
                throw CryptoFailure("The key cannot be written")
            }
            return der
        }
    }

    /// Signs the hash; with P-256 this is ES256 (RFC 7518, section 3.4).
    package func sign(_ digest: SHA256Digest) throws(CryptoFailure) -> Signature {
        let der = unsafe object.use { key in
            unsafe [UInt8](unsafeUninitializedCapacity: Self.signatureBytesMaximum) { signature, count in
                guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else {
                    return
                }
                defer { unsafe EVP_PKEY_CTX_free(context) }
                var size = signature.count
                let digest = digest.bytes
                let isSigned =
                    unsafe EVP_PKEY_sign_init(context) == 1
                    && EVP_PKEY_sign(context, signature.baseAddress, &size, digest, digest.count) == 1
                count = isSigned ? size : 0
            }
        }
        guard !der.isEmpty else {
            throw CryptoFailure("The bytes cannot be signed")
        }
        return Signature(der: der)
    }

    /// Passes libcrypto's key to `body`.
    func use<Value>(_ body: (OpaquePointer) -> Value) -> Value {
        unsafe object.use(body)
    }
}

extension SigningKey: Redacted {}
