import CCrypto
package import FoundationEssentials

/// The contents of a certificate, to be signed by its issuer.
package struct CertificateBuilder: Sendable {
    /// As many as RFC 5280, section 4.1.2.2, allows. The highest bit stays zero, because the number is positive.
    private static let serialNumberBytes = 20

    /// The common name, which is the whole name of the subject.
    package var subject: String
    /// Nil if the certificate is signed by its own key.
    package var issuer: Certificate?
    package var publicKey: PublicKey
    package var notValidBefore: Date
    package var notValidAfter: Date
    package var extensions: [CertificateExtension]

    package init(
        subject: String,
        issuer: Certificate?,
        publicKey: PublicKey,
        notValidBefore: Date,
        notValidAfter: Date,
        extensions: [CertificateExtension]
    ) {
        self.subject = subject
        self.issuer = issuer
        self.publicKey = publicKey
        self.notValidBefore = notValidBefore
        self.notValidAfter = notValidAfter
        self.extensions = extensions
    }

    /// Creates a certificate with a random serial number.
    ///
    /// - Parameter key: The issuer's key. The hash is that of its curve: SHA-256 or SHA-384.
    package func signed(by key: SigningKey) throws(CryptoFailure) -> Certificate {
        guard let certificate = unsafe X509_new() else {
            throw CryptoFailure("No certificate can be created")
        }
        defer { unsafe X509_free(certificate) }
        let digest = unsafe key.curve == .p256 ? EVP_sha256() : EVP_sha384()
        let isSigned =
            unsafe X509_set_version(certificate, Certificate.version3) == 1
            && setSerialNumber(certificate)
            && setNames(certificate)
            && setTime(X509_getm_notBefore(certificate), notValidBefore)
            && setTime(X509_getm_notAfter(certificate), notValidAfter)
            && publicKey.object.use { unsafe X509_set_pubkey(certificate, $0) == 1 }
            && extensions.allSatisfy { unsafe add($0, to: certificate) }
            && key.use { unsafe X509_sign(certificate, $0, digest) > 0 }
        guard isSigned, let der = unsafe encoded({ unsafe i2d_X509(certificate, $0) }) else {
            throw CryptoFailure("The certificate cannot be created")
        }
        let made = try Certificate(der: der)
        // libcrypto overlooks some faults of an object identifier.
        guard made.extensions == extensions else {
            throw CryptoFailure("The certificate's extensions cannot be written")
        }
        return made
    }

    private func setSerialNumber(_ certificate: OpaquePointer) -> Bool {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<Self.serialNumberBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[0] &= 0x7F
        guard let number = unsafe BN_bin2bn(bytes, CInt(bytes.count), nil) else {
            return false
        }
        defer { unsafe BN_free(number) }
        return unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private func setNames(_ certificate: OpaquePointer) -> Bool {
        let text = Array(subject.utf8)
        let own = unsafe X509_get_subject_name(certificate)
        let isNamed =
            unsafe X509_NAME_add_entry_by_NID(
                own,
                NID_commonName,
                V_ASN1_UTF8STRING,
                text,
                CInt(clamping: text.count),
                -1,
                0
            ) == 1
        guard isNamed else {
            return false
        }
        return if let issuer {
            unsafe issuer.use { unsafe X509_set_issuer_name(certificate, X509_get_subject_name($0)) == 1 }
        } else {
            unsafe X509_set_issuer_name(certificate, own) == 1
        }
    }

    /// Sets a time with whole seconds: a UTCTime until 2049, then a GeneralizedTime (RFC 5280, section 4.1.2.5).
    private func setTime(_ time: UnsafeMutablePointer<ASN1_TIME>?, _ date: Date) -> Bool {
        guard let seconds = Int(exactly: date.timeIntervalSince1970.rounded()) else {
            return false
        }
        return unsafe ASN1_TIME_set(time, seconds) != nil
    }

    private func add(_ wanted: CertificateExtension, to certificate: OpaquePointer) -> Bool {
        let identifier = unsafe OBJ_txt2obj(wanted.oid, 1)
        defer { unsafe ASN1_OBJECT_free(identifier) }
        guard unsafe identifier != nil, let value = unsafe ASN1_OCTET_STRING_new() else {
            return false
        }
        defer { unsafe ASN1_OCTET_STRING_free(value) }
        guard unsafe ASN1_OCTET_STRING_set(value, wanted.value, CInt(clamping: wanted.value.count)) == 1 else {
            return false
        }
        let item = unsafe X509_EXTENSION_create_by_OBJ(nil, identifier, wanted.isCritical ? 1 : 0, value)
        defer { unsafe X509_EXTENSION_free(item) }
        return unsafe item != nil && X509_add_ext(certificate, item, -1) == 1
    }
}
