import CCrypto
package import FoundationEssentials
import Glibc

/// An X.509 certificate, parsed once. Its contents are not verified.
package struct Certificate: Sendable {
    /// The largest certificate that is read.
    package static let bytesMaximum = 16 * 1024
    /// The number that X.509 gives version 3.
    static let version3 = 2
    /// The longest object identifier of an extension, in numbers with periods.
    private static let identifierMaximum = 128

    package let der: [UInt8]
    package let notValidBefore: Date
    package let notValidAfter: Date
    package let publicKey: PublicKey
    /// The extensions; each identifier occurs once.
    package let extensions: [CertificateExtension]
    package let subjectKeyIdentifier: [UInt8]?
    package let authorityKeyIdentifier: [UInt8]?
    package let authority: Authority
    /// Nil if the certificate does not restrict it.
    package let keyUsage: KeyUsage?
    /// Names in DER.
    let subject: [UInt8]
    let issuer: [UInt8]
    /// The number that libcrypto gives the algorithm of the signature.
    let signatureAlgorithm: CInt
    private let object: CryptoObject

    /// Reads a certificate in DER; other encodings are refused.
    package init(der: [UInt8]) throws(CryptoFailure) {
        guard der.count <= Self.bytesMaximum else {
            throw CryptoFailure("The certificate has more than \(Self.bytesMaximum) bytes")
        }
        let pointer = unsafe decoded(der, { unsafe X509_free($0) }) { unsafe d2i_X509(nil, $0, $1) }
        let object = try unsafe CryptoObject(pointer, { unsafe X509_free($0) }, "The certificate cannot be read")
        // libcrypto also reads other encodings than DER: what it writes again has to be the same. And it reads the
        // extensions when they are asked for the first time: this is done here, before the object is shared.
        let isValid = unsafe object.use { certificate in
            unsafe i2d_re_X509_tbs(certificate, nil) > 0
                && encoded { unsafe i2d_X509(certificate, $0) } == der
                && X509_check_purpose(certificate, -1, 0) == 1
        }
        guard isValid else {
            throw CryptoFailure("The certificate is not in DER, or has an invalid extension")
        }
        self.der = der
        self.object = object
        publicKey = try Self.publicKey(object)
        extensions = try unsafe object.use { (pointer) throws(CryptoFailure) in try unsafe Self.extensions(pointer) }
        (notValidBefore, notValidAfter) = try unsafe object.use { (pointer) throws(CryptoFailure) in
            try unsafe (Self.date(X509_get0_notBefore(pointer)), Self.date(X509_get0_notAfter(pointer)))
        }
        subject = try unsafe object.use { (pointer) throws(CryptoFailure) in
            try unsafe Self.name(X509_get_subject_name(pointer))
        }
        issuer = try unsafe object.use { (pointer) throws(CryptoFailure) in
            try unsafe Self.name(X509_get_issuer_name(pointer))
        }
        subjectKeyIdentifier = unsafe object.use { unsafe Self.bytes(X509_get0_subject_key_id($0)) }
        authorityKeyIdentifier = unsafe object.use { unsafe Self.bytes(X509_get0_authority_key_id($0)) }
        authority = unsafe object.use { unsafe Self.authority($0) }
        keyUsage = unsafe object.use {
            let usage = unsafe X509_get_key_usage($0)
            return usage == UInt32.max ? nil : KeyUsage(rawValue: usage)
        }
        signatureAlgorithm = unsafe object.use { unsafe X509_get_signature_nid($0) }
        ERR_clear_error()
    }

    package subscript(extension oid: String) -> CertificateExtension? {
        extensions.first { $0.oid == oid }
    }

    /// Whether the issuer's key signed this certificate, which names the issuer.
    package func isIssued(by issuer: Certificate) -> Bool {
        guard self.issuer == issuer.subject, SignatureAlgorithm.isAccepted(signatureAlgorithm) else {
            return false
        }
        defer { ERR_clear_error() }
        return unsafe object.use { certificate in
            unsafe issuer.publicKey.object.use { unsafe X509_verify(certificate, $0) == 1 }
        }
    }

    /// Whether the certificate is of version 3, the only one with extensions.
    var isVersion3: Bool {
        unsafe object.use { unsafe X509_get_version($0) == Self.version3 }
    }

    /// Passes libcrypto's certificate to `body`.
    func use<Value>(_ body: (OpaquePointer) -> Value) -> Value {
        unsafe object.use(body)
    }
}

extension Certificate: Equatable {
    package static func == (left: Certificate, right: Certificate) -> Bool {
        left.der == right.der
    }
}

/// The algorithms of certificates' signatures.
enum SignatureAlgorithm {
    private static let accepted: Set<CInt> = [
        NID_ecdsa_with_SHA256, NID_ecdsa_with_SHA384, NID_ecdsa_with_SHA512,
        NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption, NID_sha512WithRSAEncryption, NID_ED25519,
    ]

    /// SHA-1 and older ones are not accepted, nor parameters that a signature chooses (RSASSA-PSS).
    static func isAccepted(_ number: CInt) -> Bool {
        accepted.contains(number)
    }
}

// Reads the parts of libcrypto's certificate.
extension Certificate {
    private static func publicKey(_ object: CryptoObject) throws(CryptoFailure) -> PublicKey {
        let (key, bytes) = unsafe object.use { certificate in
            let key = unsafe X509_get_pubkey(certificate)
            return unsafe (key, Self.bytes(X509_get0_pubkey_bitstr(certificate)))
        }
        let kept = try unsafe CryptoObject(key, { unsafe EVP_PKEY_free($0) }, "The certificate's key cannot be read")
        return try PublicKey(kept, subjectBytes: bytes)
    }

    private static func extensions(_ certificate: OpaquePointer) throws(CryptoFailure) -> [CertificateExtension] {
        var extensions: [CertificateExtension] = []
        for index in 0..<max(0, unsafe X509_get_ext_count(certificate)) {
            let item = unsafe X509_get_ext(certificate, index)
            guard let oid = unsafe identifier(X509_EXTENSION_get_object(item)),
                let value = unsafe bytes(X509_EXTENSION_get_data(item)),
                !extensions.contains(where: { $0.oid == oid })
            else {
                throw CryptoFailure("The certificate's extensions cannot be read, or one is duplicated")
            }
            let isCritical = unsafe X509_EXTENSION_get_critical(item) > 0
            extensions.append(CertificateExtension(oid: oid, isCritical: isCritical, value: value))
        }
        return extensions
    }

    private static func identifier(_ object: OpaquePointer?) -> String? {
        var text = [CChar](repeating: 0, count: identifierMaximum)
        let count = unsafe Int(OBJ_obj2txt(&text, CInt(text.count), object, 1))
        guard (1..<text.count).contains(count) else {
            return nil
        }
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func authority(_ certificate: OpaquePointer) -> Authority {
        guard unsafe X509_get_extension_flags(certificate) & UInt32(EXFLAG_CA) != 0 else {
            return .no
        }
        let length = unsafe X509_get_pathlen(certificate)
        return .yes(pathLength: length >= 0 ? length : nil)
    }

    private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
        guard let string = unsafe string else {
            return nil
        }
        let start = unsafe ASN1_STRING_get0_data(string)
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
    }

    private static func name(_ name: OpaquePointer?) throws(CryptoFailure) -> [UInt8] {
        guard let bytes = unsafe encoded({ unsafe i2d_X509_NAME(name, $0) }) else {
            throw CryptoFailure("A name of the certificate cannot be read")
        }
        return bytes
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) throws(CryptoFailure) -> Date {
        var fields = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(time, &fields) == 1 else {
            throw CryptoFailure("A date of the certificate cannot be read")
        }
        return unsafe Date(timeIntervalSince1970: TimeInterval(timegm(&fields)))
    }
}
