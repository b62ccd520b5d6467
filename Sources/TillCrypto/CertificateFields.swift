import CCrypto

/// An extension of a certificate (RFC 5280, section 4.2).
package struct CertificateExtension: Hashable, Sendable {
    package static let subjectKeyIdentifier = "2.5.29.14"
    package static let keyUsage = "2.5.29.15"
    package static let basicConstraints = "2.5.29.19"
    package static let authorityKeyIdentifier = "2.5.29.35"

    /// The object identifier, in numbers with periods.
    package var oid: String
    package var isCritical: Bool
    /// In DER.
    package var value: [UInt8]

    package init(oid: String, isCritical: Bool, value: [UInt8]) {
        self.oid = oid
        self.isCritical = isCritical
        self.value = value
    }

    package static func subjectKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        CertificateExtension(oid: subjectKeyIdentifier, isCritical: false, value: DER.encode(.octetString, identifier))
    }

    package static func authorityKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        let value = DER.encode(.sequence, DER.encode(.keyIdentifier, identifier))
        return CertificateExtension(oid: authorityKeyIdentifier, isCritical: false, value: value)
    }

    /// Makes the certificate an authority.
    ///
    /// - Parameter pathLength: The maximum number of authorities below this one; nil for any number.
    package static func authority(pathLength: UInt8?) -> CertificateExtension {
        let length = pathLength.map { DER.encode(.integer, $0 < 0x80 ? [$0] : [0, $0]) } ?? []
        let value = DER.encode(.sequence, DER.encode(.boolean, [0xFF]) + length)
        return CertificateExtension(oid: basicConstraints, isCritical: true, value: value)
    }

    package static func keyUsage(_ usage: KeyUsage) -> CertificateExtension {
        let bits = UInt8(truncatingIfNeeded: usage.rawValue)
        let value = DER.encode(.bitString, [UInt8(bits.trailingZeroBitCount % 8), bits])
        return CertificateExtension(oid: keyUsage, isCritical: true, value: value)
    }
}

/// The permitted uses of a key, as the bits of the extension (RFC 5280, section 4.2.1.3); the first bit is the highest.
package struct KeyUsage: OptionSet, Hashable, Sendable {
    package static let digitalSignature = KeyUsage(rawValue: UInt32(KU_DIGITAL_SIGNATURE))
    package static let certificateSigning = KeyUsage(rawValue: UInt32(KU_KEY_CERT_SIGN))
    package static let listSigning = KeyUsage(rawValue: UInt32(KU_CRL_SIGN))

    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Whether a certificate may issue others.
package enum Authority: Hashable, Sendable {
    case no
    /// An authority with at most this many authorities below it; nil for any number.
    case yes(pathLength: Int?)
}

/// Writes the few values of ASN.1 that extensions have (X.690).
private enum DER {
    enum Tag: UInt8 {
        case boolean = 0x01, integer, bitString, octetString
        case sequence = 0x30
        /// The first field of an AuthorityKeyIdentifier.
        case keyIdentifier = 0x80
    }

    static func encode(_ tag: Tag, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        guard count >= 0x80 else {
            return [tag.rawValue, UInt8(count)] + contents
        }
        let length = [UInt8](withBigEndianBytesOf: count)
        return [tag.rawValue, 0x80 | UInt8(length.count)] + length + contents
    }
}

extension [UInt8] {
    /// The bytes of a positive number without leading zeros.
    fileprivate init(withBigEndianBytesOf number: Int) {
        let bytes = stride(from: Int.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        self = Array(bytes.drop { $0 == 0 })
    }
}
