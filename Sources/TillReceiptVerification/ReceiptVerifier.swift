import TillCrypto
package import TillModel

/// Verifies receipts in the App Store's format, signed by chains that end in given roots. It uses no network.
package struct ReceiptVerifier: Sendable {
    private let roots: [Certificate]

    /// - Parameter rootCertificates: At least one certificate in DER.
    /// - Throws: `invalidArgument` if there is no certificate, or one is malformed.
    package init(rootCertificates: [[UInt8]]) throws(TillError) {
        let message = "The root is not a certificate in DER."
        guard !rootCertificates.isEmpty else {
            throw TillError(.invalidArgument, message)
        }
        do {
            roots = try rootCertificates.map { try Certificate(der: $0) }
        } catch {
            throw TillError(.invalidArgument, message, cause: error)
        }
    }

    /// Verifies a receipt at the date of its signature: it stays valid after its leaf has expired.
    ///
    /// - Parameters:
    ///   - application: The required application; nil for any. Renewal information names none, and is refused if one
    ///     is required.
    ///   - environment: The required environment; nil for any.
    package func verify(
        _ jws: String,
        application: String? = nil,
        environment: ReceiptEnvironment? = nil
    ) throws(ReceiptFault) -> VerifiedReceipt {
        var chains = VerifiedChains()
        let receipt = try verify(jws, &chains)
        try Self.check(receipt, application, environment)
        return receipt
    }

    /// Verifies a receipt for any application and environment.
    ///
    /// - Parameter chains: Chains that this verifier verified before. The receipt's is added.
    func verify(_ jws: String, _ chains: inout VerifiedChains) throws(ReceiptFault) -> VerifiedReceipt {
        let compact = try CompactReceipt(jws, knowing: chains)
        let known = chains[compact.headerBytes]
        let chain = if let known { known.chain } else { try ShownChain(compact.header, roots: roots) }
        guard roots.contains(chain.root) else {
            throw .foreignRoot
        }
        let receipt = try VerifiedReceipt(unverified: compact)
        try chain.checkDates(at: receipt.signedDate)
        if known == nil {
            try chain.checkIssuers()
            chains.insert(VerifiedChains.Entry(header: compact.header, chain: chain), for: compact.headerBytes)
        }
        guard chain.leaf.publicKey.isValid(compact.signature, for: compact.digest) else {
            throw .signature
        }
        return receipt
    }

    private static func check(
        _ receipt: VerifiedReceipt,
        _ application: String?,
        _ environment: ReceiptEnvironment?
    ) throws(ReceiptFault) {
        if let application {
            guard let found = receipt.application else {
                throw .unnamedApplication
            }
            guard found.hasSameBytes(as: application) else {
                throw .application(found)
            }
        }
        if let environment, receipt.environment != environment {
            throw .environment(receipt.environment.rawValue)
        }
    }
}
