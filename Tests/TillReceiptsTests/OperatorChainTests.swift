import Foundation
import Logging
import Testing
import TillCrypto
import TillEngine
import TillModel
import TillReceiptVerification
@testable import TillReceipts

/// A chain that an operator provides in the directory.
@Suite struct OperatorChainTests {
    @Test func theAuthorityKeysAreNotNeededForSigning() async throws {
        try await inTemporaryDirectory { directory in
            let chain = try ForgedChain()
            try Self.write(chain, to: directory)
            let lines = LogLines()
            let authority = try Self.open(directory, lines: lines)
            let receipt = try authority.sign(Samples.facts())
            let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
            _ = try verifier.verify(receipt.compact)
            let error = #expect(throws: TillError.self) { try authority.rotateLeaf(at: Samples.date) }
            #expect(error?.code == .failedPrecondition)
            #expect(lines.count(.warning) == 0)
        }
    }

    @Test func anExpiredLeafDoesNotSignAndThisIsLoggedOnce() async throws {
        try await inTemporaryDirectory { directory in
            try Self.write(try ForgedChain(), to: directory)
            let lines = LogLines()
            let authority = try Self.open(directory, lines: lines)
            _ = try authority.sign(Samples.facts(date: Samples.date.addingTimeInterval(9 * Samples.day)))
            #expect(lines.count(.error) == 0)
            for day in [11.0, 12] {
                let facts = Samples.facts(date: Samples.date.addingTimeInterval(day * Samples.day))
                let error = #expect(throws: TillError.self) { try authority.sign(facts) }
                #expect(error?.code == .unavailable)
                #expect(lines.count(.error) == 1)
            }
        }
    }

    @Test func anExpiredLeafIsLoggedAtTheStart() async throws {
        try await inTemporaryDirectory { directory in
            try Self.write(try ForgedChain(), to: directory)
            let lines = LogLines()
            _ = try Self.open(directory, at: Samples.date.addingTimeInterval(11 * Samples.day), lines: lines)
            #expect(lines.count(.error) == 1)
        }
    }

    @Test func withTheIntermediatesKeyLeavesAreIssued() async throws {
        try await inTemporaryDirectory { directory in
            let chain = try ForgedChain()
            try Self.write(chain, to: directory, keys: [.intermediate])
            try FileManager.default.removeItem(atPath: "\(directory)/leaf.pem")
            let receipt = try Self.open(directory).sign(Samples.facts())
            let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
            _ = try verifier.verify(receipt.compact)
        }
    }

    @Test(arguments: ["leaf.pem", "intermediate.pem"])
    func withoutTheKeyNoLeafIsIssued(missing: String) async throws {
        try await inTemporaryDirectory { directory in
            try Self.write(try ForgedChain(), to: directory)
            try FileManager.default.removeItem(atPath: "\(directory)/leaf.pem")
            if missing != "leaf.pem" {
                try FileManager.default.removeItem(atPath: "\(directory)/intermediate.pem")
            }
            let error = #expect(throws: TillError.self) { try Self.open(directory) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("\(directory)/\(missing) is missing") == true)
        }
    }

    @Test func aLeafWithoutItsKeyIsRefused() async throws {
        try await inTemporaryDirectory { directory in
            try Self.write(try ForgedChain(), to: directory, keys: [])
            let error = #expect(throws: TillError.self) { try Self.open(directory) }
            #expect(error?.message == "\(directory)/leaf.pem has no private key; append it in PEM.")
        }
    }

    @Test func filesOfOtherToolsAreAccepted() async throws {
        try await inTemporaryDirectory { directory in
            let chain = try ForgedChain()
            try Self.write(chain, to: directory)
            let key = try #require(chain.leaf.key)
            // In PKCS #8, the private key follows 36 bytes of a header.
            let secret = try key.der[36...].prefix(32)
            // The DER of an ECPrivateKey with prime256v1.
            let der: [UInt8] =
                [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20] + secret
                + [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
                + [0xA1, 0x44, 0x03, 0x42, 0x00] + key.publicKey.bytes
            let document = PEM.encode(der, as: "EC PRIVATE KEY").joined(separator: "\n")
            let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
            let certificate = PEM.encode(chain.leaf.certificate.der).joined(separator: "\n")
            let text = "Of the leaf.\n\(certificate)\n\(parameters)\(document)\n"
            try AuthorityFileTests.write(text, to: "\(directory)/leaf.pem")
            _ = try Self.open(directory).sign(Samples.facts())
        }
    }

    /// Each plan violates one requirement of Apple's libraries; the message names the file and the fault.
    @Test(
        arguments: [
            (ForgedChain.Plan(unmarked: [.leaf]), "leaf.pem lacks the extension 1.2.840.113635.100.6.11.1"),
            (ForgedChain.Plan(unmarked: [.intermediate]), "intermediate.pem lacks the extension"),
            (ForgedChain.Plan(critical: [.leaf]), "leaf.pem has the extension"),
            (ForgedChain.Plan(powerless: [.root]), "root.pem has no critical extension"),
            (ForgedChain.Plan(powerless: [.intermediate]), "intermediate.pem has no critical extension"),
            (ForgedChain.Plan(unidentified: [.root]), "root.pem has no subject key identifier"),
            (ForgedChain.Plan(unidentified: [.intermediate]), "intermediate.pem has no subject key identifier"),
            (ForgedChain.Plan(unidentified: [.leaf]), "leaf.pem has no authority key identifier"),
            (ForgedChain.Plan(strange: [.leaf]), "leaf.pem has the critical extension 1.2.3.4"),
            (ForgedChain.Plan(strange: [.intermediate]), "intermediate.pem has the critical extension 1.2.3.4"),
            (ForgedChain.Plan(shortPath: [.root]), "root.pem has a path length"),
            (ForgedChain.Plan(leafCurve: .p384), "leaf.pem has no P-256 key"),
        ]
    )
    func aChainThatAppleWouldRefuseIsRefused(plan: ForgedChain.Plan, words: String) async throws {
        try await inTemporaryDirectory { directory in
            try Self.write(try ForgedChain(plan), to: directory)
            let error = #expect(throws: TillError.self) { try Self.open(directory) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("\(directory)/\(words)") == true, "\(error?.message ?? "")")
        }
    }

    private static func open(
        _ directory: String,
        at date: Date = Samples.date,
        lines: LogLines = LogLines()
    ) throws -> ReceiptAuthority {
        try ReceiptAuthority(directory: directory, environment: .sandbox, date: date, logger: lines.logger)
    }

    private static func write(
        _ chain: ForgedChain,
        to directory: String,
        keys: Set<CertificateRole> = [.leaf]
    ) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
        let places = [(CertificateRole.root, chain.root), (.intermediate, chain.intermediate), (.leaf, chain.leaf)]
        for (role, keyed) in places {
            let kept = KeyedCertificate(certificate: keyed.certificate, key: keys.contains(role) ? keyed.key : nil)
            try AuthorityFileTests.write(try kept.pem(), to: "\(directory)/\(role.fileName)")
        }
    }
}
