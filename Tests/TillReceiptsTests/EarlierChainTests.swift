import Foundation
import Testing
import TillCrypto
import TillModel
@testable import TillReceipts

/// The chain of a store that swift-certificates made, for an earlier version.
@Suite struct EarlierChainTests {
    @Test func itsCertificatesAreAccepted() throws {
        let chain = try Self.chain()
        #expect(CertificateRole.leaf.fault(of: chain[0], issuedBy: chain[1]) == nil)
        #expect(CertificateRole.intermediate.fault(of: chain[1], issuedBy: chain[2]) == nil)
        #expect(CertificateRole.root.fault(of: chain[2], issuedBy: chain[2]) == nil)
    }

    @Test(arguments: CertificateRole.allCases)
    func newCertificatesHaveTheSameExtensions(role: CertificateRole) throws {
        let chain = try Self.chain()
        let place = [CertificateRole.leaf: 0, .intermediate: 1, .root: 2][role] ?? 0
        let issuer = try chain[min(place + 1, 2)].publicKey.identifier
        let extensions = role.extensions(for: try chain[place].publicKey.identifier, issuedBy: issuer)
        #expect(chain[place].extensions == extensions)
    }

    @Test func aFileHasACertificateAndThenItsKey() throws {
        let root = try ReceiptChain.makeRoot(at: Samples.date)
        let text = try root.pem()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let ends = lines.filter { $0.hasPrefix("-----") }
        #expect(
            ends == [
                "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----", "-----BEGIN PRIVATE KEY-----",
                "-----END PRIVATE KEY-----",
            ]
        )
        #expect(lines.last == "" && lines.dropLast().allSatisfy { !$0.isEmpty && $0.count <= 64 })
        let again = try KeyedCertificate(pem: text)
        #expect(again.certificate == root.certificate)
        #expect(again.key?.publicKey == root.certificate.publicKey)
    }

    private static func chain() throws -> [Certificate] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../TillCryptoTests/Fixtures/store.chain.pem")
        let certificates = try #require(PEM.certificates(in: Array(try Data(contentsOf: file))))
        try #require(certificates.count == 3)
        return try certificates.map { try Certificate(der: $0) }
    }
}
