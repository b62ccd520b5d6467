import CCrypto

/// An ECDSA signature.
package struct Signature: Hashable, Sendable {
    /// As X.509 and StoreKit's offers have it: an ECDSA-Sig-Value (RFC 3279, section 2.2.3).
    package let der: [UInt8]

    /// - Parameter der: Read when the signature is verified; anything but a signature in DER is then not valid.
    package init(der: [UInt8]) {
        self.der = der
    }

    /// Reads R and S, as JWS has them (RFC 7518, section 3.4); nil for an odd number of bytes, or for lack of memory.
    package init?(raw: [UInt8]) {
        guard raw.count % 2 == 0, !raw.isEmpty, raw.count <= Curve.p384.fieldBytes * 2 else {
            return nil
        }
        guard let pair = unsafe ECDSA_SIG_new() else {
            return nil
        }
        defer { unsafe ECDSA_SIG_free(pair) }
        let half = raw.count / 2
        let isSet = unsafe raw.withUnsafeBufferPointer { raw in
            let r = unsafe BN_bin2bn(raw.baseAddress, CInt(half), nil)
            let s = unsafe BN_bin2bn(raw.baseAddress.map { unsafe $0 + half }, CInt(half), nil)
            guard unsafe r != nil, unsafe s != nil, unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
                unsafe BN_free(r)
                unsafe BN_free(s)
                return false
            }
            return true
        }
        guard isSet, let der = unsafe encoded({ unsafe i2d_ECDSA_SIG(pair, $0) }) else {
            ERR_clear_error()
            return nil
        }
        self.der = der
    }

    /// R and S, each as long as the curve's field; nil if they are longer, or if this is not a signature.
    package func raw(_ curve: Curve = .p256) -> [UInt8]? {
        let pair = unsafe decoded(der, { unsafe ECDSA_SIG_free($0) }) { unsafe d2i_ECDSA_SIG(nil, $0, $1) }
        guard let pair = unsafe pair else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe ECDSA_SIG_free(pair) }
        let size = curve.fieldBytes
        let raw = unsafe [UInt8](unsafeUninitializedCapacity: size * 2) { bytes, count in
            let base = bytes.baseAddress
            let isR = unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), base, CInt(size)) >= 0
            let isS = unsafe BN_bn2binpad(ECDSA_SIG_get0_s(pair), base.map { unsafe $0 + size }, CInt(size)) >= 0
            count = isR && isS ? size * 2 : 0
        }
        ERR_clear_error()
        return raw.isEmpty ? nil : raw
    }
}

/// A curve of keys that sign.
package enum Curve: Hashable, Sendable {
    case p256, p384

    /// The length of R and of S.
    package var fieldBytes: Int {
        self == .p256 ? 32 : 48
    }

    /// As `EVP_EC_gen` takes it.
    var name: String {
        self == .p256 ? "P-256" : "P-384"
    }
}
