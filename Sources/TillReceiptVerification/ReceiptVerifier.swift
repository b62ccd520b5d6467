import FoundationEssentials
import JWTKit
import SwiftASN1
package import TillModel
import X509

/// Verifies receipts in the App Store's format, signed by chains that end in given roots. It uses no network.
package struct ReceiptVerifier: Sendable {
    private let roots: [Certificate]
    private let verifier: X5CVerifier

    /// - Parameter rootCertificates: At least one certificate in DER.
    /// - Throws: `invalidArgument` if there is no certificate, or one is malformed.
    package init(rootCertificates: [[UInt8]]) throws(TillError) {
        do {
            roots = try rootCertificates.map { try Certificate(derEncoded: $0) }
            verifier = try X5CVerifier(rootCertificates: roots)
        } catch {
            throw TillError(.invalidArgument, "The root is not a certificate in DER.", cause: error)
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
    ) async throws(ReceiptFault) -> VerifiedReceipt {
        let compact = try CompactReceipt(jws)
        let chain = try ShownChain(compact.header).certificates
        guard let root = chain.last, roots.contains(root) else {
            throw .foreignRoot
        }
        let receipt = try VerifiedReceipt(unverified: compact)
        try await verify(jws, chain, at: receipt.signedDate)
        if let application {
            guard let found = receipt.application else {
                throw .unnamedApplication
            }
            guard found.utf8.elementsEqual(application.utf8) else {
                throw .application(found)
            }
        }
        if let environment, receipt.environment != environment {
            throw .environment(receipt.environment.rawValue)
        }
        return receipt
    }

    private func verify(
        _ jws: String,
        _ chain: [Certificate],
        at date: Date
    ) async throws(ReceiptFault) {
        do {
            _ = try await verifier.verifyJWS(Array(jws.utf8), as: ReceiptClaims.self, jsonDecoder: .defaultForJWT) {
                ExactChain(certificates: chain)
            }
        } catch let error as JWTError where error.errorType == .invalidX5CChain {
            throw .chain(Self.reason(of: chain, at: date))
        } catch {
            throw .signature
        }
    }

    /// The rule that a refused chain broke, as one clause.
    private static func reason(of chain: [Certificate], at date: Date) -> String {
        if chain.contains(where: { $0.notValidAfter < date }) {
            "one had expired"
        } else if chain.contains(where: { date < $0.notValidBefore }) {
            "one was not valid yet"
        } else {
            "they do not sign each other, or must not"
        }
    }
}
