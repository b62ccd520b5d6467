import CCrypto
package import FoundationEssentials

/// Certificates that each were issued by the next one: a leaf, its authorities, and a root that is trusted.
package struct CertificatePath: Sendable {
    /// The reason why a path is not valid.
    package enum Fault: Hashable, Sendable {
        case expired
        case notValidYet
        /// The certificates do not issue one another, or one is used for a purpose that it does not permit.
        case broken
    }

    /// The strength in bits that keys and signatures need, as a level of libcrypto: 112, which is RSA of 2048 bits.
    private static let securityLevel: CInt = 2
    /// The extensions that the checks below enforce, so that they may be critical.
    private static let understood: Set<String> = [CertificateExtension.basicConstraints, CertificateExtension.keyUsage]

    private let certificates: [Certificate]

    /// - Parameter certificates: From the leaf to the root, at least these two.
    package init(_ certificates: [Certificate]) {
        self.certificates = certificates
    }

    /// Verifies the path as of a date, by the rules for issuing (RFC 5280, section 6): signatures, names, dates, basic
    /// constraints and their path lengths, key usages, key identifiers and critical extensions. No other path is
    /// accepted, not even a shorter one, and nothing else is trusted.
    package func fault(at date: Date) -> Fault? {
        dateFault(at: date) ?? (isIssued ? nil : .broken)
    }

    /// The part of ``fault(at:)`` that depends on the date: whether all certificates are valid then.
    package func dateFault(at date: Date) -> Fault? {
        // Checked here because libcrypto takes a certificate for expired in its last second.
        if certificates.contains(where: { $0.notValidAfter < date }) {
            return .expired
        }
        return certificates.contains { date < $0.notValidBefore } ? .notValidYet : nil
    }

    /// The part of ``fault(at:)`` that is the same for any date: whether each certificate was issued by the next one.
    package var isIssued: Bool {
        isWellFormed && isVerified
    }

    /// The checks that libcrypto does not make, or makes less strictly.
    private var isWellFormed: Bool {
        guard let leaf = certificates.first, leaf.authority == .no, leaf.keyUsage?.contains(.digitalSignature) != false
        else {
            return false
        }
        let isUnderstood = certificates.allSatisfy { certificate in
            certificate.extensions.allSatisfy { !$0.isCritical || Self.understood.contains($0.oid) }
                && SignatureAlgorithm.isAccepted(certificate.signatureAlgorithm) && certificate.isVersion3
        }
        return isUnderstood && zip(certificates, certificates.dropFirst()).allSatisfy { $0.issuer == $1.subject }
    }

    private var isVerified: Bool {
        guard certificates.count >= 2, let leaf = certificates.first, let root = certificates.last else {
            return false
        }
        defer {
            ERR_clear_error()
            withExtendedLifetime(certificates) {}
        }
        guard let context = unsafe X509_STORE_CTX_new() else {
            return false
        }
        defer { unsafe X509_STORE_CTX_free(context) }
        let trusted = unsafe Self.stack([root])
        let others = unsafe Self.stack(certificates.dropFirst().dropLast())
        defer {
            unsafe till_crypto_free_stack(trusted)
            unsafe till_crypto_free_stack(others)
        }
        guard unsafe trusted != nil, unsafe others != nil,
            unsafe leaf.use({ unsafe X509_STORE_CTX_init(context, nil, $0, others) }) == 1
        else {
            return false
        }
        unsafe X509_STORE_CTX_set0_trusted_stack(context, trusted)
        let parameters = unsafe X509_STORE_CTX_get0_param(context)
        let flags = X509_V_FLAG_X509_STRICT | X509_V_FLAG_CHECK_SS_SIGNATURE | X509_V_FLAG_NO_CHECK_TIME
        guard unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(flags)) == 1 else {
            return false
        }
        unsafe X509_VERIFY_PARAM_set_depth(parameters, CInt(clamping: certificates.count - 2))
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        return unsafe X509_verify_cert(context) == 1 && isWhole(X509_STORE_CTX_get0_chain(context))
    }

    /// Whether the chain that libcrypto found is the path: the same objects, because X509_cmp may compare only SHA-1s.
    private func isWhole(_ chain: OpaquePointer?) -> Bool {
        guard unsafe Int(till_crypto_count(chain)) == certificates.count else {
            return false
        }
        return certificates.indices.allSatisfy { index in
            unsafe certificates[index].use { unsafe $0 == till_crypto_certificate(chain, CInt(index)) }
        }
    }

    /// A stack of certificates, which it does not own; nil for lack of memory.
    private static func stack(_ certificates: some Sequence<Certificate>) -> OpaquePointer? {
        guard let stack = unsafe till_crypto_stack() else {
            return nil
        }
        guard certificates.allSatisfy({ unsafe $0.use { unsafe till_crypto_push(stack, $0) == 1 } }) else {
            unsafe till_crypto_free_stack(stack)
            return nil
        }
        return unsafe stack
    }
}
