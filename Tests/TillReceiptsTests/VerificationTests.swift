import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillReceiptVerification
import TillReceipts

/// Receipts that a verifier accepts and refuses.
@Suite struct VerificationTests {
    @Test func aReceiptIsVerifiedAndRead() throws {
        let authority = try Samples.authority()
        var transaction = Samples.transaction(.autoRenewableSubscription)
        transaction.term = Samples.term()
        transaction.revocation = Revocation(date: Samples.date, reason: .other, quantity: 1)
        let signed = try authority.sign(Samples.facts(transaction))
        let receipt = try Self.verifier(authority).verify(
            signed.compact,
            application: Samples.application,
            environment: .sandbox
        )
        #expect(receipt.kind == .transaction)
        #expect(receipt.application == Samples.application)
        #expect(receipt.environment == .sandbox)
        #expect(receipt.signedDate == Samples.date)
        #expect(receipt.transactionID == "2000000001")
        #expect(receipt.originalTransactionID == "2000000001")
        #expect(receipt.productID == "org.example.notes.pro")
        #expect(receipt.purchaseDate == Samples.term().start)
        #expect(receipt.expirationDate == Samples.term().end)
        #expect(receipt.revocationDate == Samples.date)
        #expect(try JSONDecoder().decode([String: JSON].self, from: Data(receipt.payload)) == signed.members())
    }

    @Test(arguments: [0, 1, 8, 9, 64, 101])
    func manyReceiptsAreSignedInOrder(count: Int) throws {
        let authority = try Samples.authority()
        let facts = (0..<count).map { Samples.facts(Samples.transaction(key: Int64(1000 + $0))) }
        let receipts = try authority.sign(facts).map { try $0.get() }
        let verifier = try Self.verifier(authority)
        var transactions: [String?] = []
        for receipt in receipts {
            transactions.append(try verifier.verify(receipt.compact).transactionID)
        }
        #expect(transactions == (0..<count).map { "\(1000 + $0)" })
    }

    @Test(arguments: ReceiptEnvironment.allCases, ReceiptEnvironment.allCases)
    func theEnvironmentMustBeTheExpectedOne(signed: ReceiptEnvironment, expected: ReceiptEnvironment) throws {
        let authority = try Samples.authority(signed)
        let receipt = try authority.sign(Samples.facts()).compact
        let fault = Self.fault(of: receipt, authority, environment: expected)
        #expect(fault == (signed == expected ? nil : .environment(signed.rawValue)))
        #expect(Self.fault(of: receipt, authority, environment: nil) == nil)
    }

    @Test func anotherApplicationsReceiptIsRefused() throws {
        let authority = try Samples.authority()
        let receipt = try authority.sign(Samples.facts()).compact
        #expect(
            Self.fault(of: receipt, authority, application: "org.example.other")
                == .application(Samples.application)
        )
        #expect(Self.fault(of: receipt, authority, application: nil) == nil)
    }

    /// Visually equal texts with different bytes.
    @Test func applicationsAreComparedByteByByte() throws {
        let authority = try Samples.authority()
        var facts = Samples.facts()
        facts.application = "org.example.caf\u{E9}"
        let receipt = try authority.sign(facts).compact
        let other = "org.example.cafe\u{301}"
        #expect(Self.fault(of: receipt, authority, application: other) == .application(facts.application))
        #expect(Self.fault(of: receipt, authority, application: facts.application) == nil)
    }

    @Test func aForeignRootIsRefused() throws {
        let receipt = try Samples.authority().sign(Samples.facts()).compact
        #expect(Self.fault(of: receipt, try Samples.authority()) == .foreignRoot)
    }

    @Test func oneOfSeveralRootsIsEnough() throws {
        let authorities = [try Samples.authority(), try Samples.authority()]
        let verifier = try ReceiptVerifier(rootCertificates: authorities.map(\.rootCertificate))
        for authority in authorities {
            _ = try verifier.verify(authority.sign(Samples.facts()).compact)
        }
    }

    @Test(arguments: [[], [[]], [[0x30, 0x00]], [Array("-----BEGIN CERTIFICATE-----".utf8)]] as [[[UInt8]]])
    func invalidRootsAreRefused(roots: [[UInt8]]) {
        let error = #expect(throws: TillError.self) { try ReceiptVerifier(rootCertificates: roots) }
        #expect(error?.code == .invalidArgument)
    }

    /// Replaces each character of payload and signature, and every seventh one of the certificates, with the next
    /// letter of the alphabet. For the last character this changes unused bits.
    @Test func aChangeAnywhereIsDetected() throws {
        let authority = try Samples.authority()
        let verifier = try Self.verifier(authority)
        let receipt = Array(try authority.sign(Samples.facts()).compact.utf8)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let headerEnd = receipt.firstIndex(of: UInt8(ascii: ".")) ?? 0
        for index in receipt.indices where index % 7 == 0 || index > headerEnd - 7 {
            var changed = receipt
            let place = alphabet.firstIndex(of: receipt[index]) ?? 0
            changed[index] = alphabet[(place + 1) % alphabet.count]
            let text = String(decoding: changed, as: UTF8.self)
            #expect(throws: ReceiptFault.self, "at \(index)") { try verifier.verify(text) }
        }
    }

    @Test func aTruncatedReceiptIsRefused() throws {
        let authority = try Samples.authority()
        let verifier = try Self.verifier(authority)
        let receipt = try authority.sign(Samples.facts()).compact
        for length in 0..<receipt.utf8.count {
            let text = String(receipt.prefix(length))
            #expect(throws: ReceiptFault.self, "at \(length)") { try verifier.verify(text) }
        }
    }

    @Test(arguments: ["\n", " ", "=", "A", ".", "\u{0}", "é"])
    func trailingTextIsRefused(suffix: String) throws {
        let authority = try Samples.authority()
        let receipt = try authority.sign(Samples.facts()).compact
        #expect(Self.fault(of: receipt + suffix, authority) != nil)
        #expect(Self.fault(of: suffix + receipt, authority) != nil)
    }

    @Test func receiptsBeyondTheLimitsAreRefused() throws {
        let authority = try Samples.authority()
        let large = String(repeating: "A", count: 16 * 1024 * 1024 + 1)
        #expect(Self.fault(of: large, authority) == .tooLarge(bytes: 16 * 1024 * 1024 + 1))
        let header = String(repeating: "A", count: 64 * 1024 + 1)
        #expect(Self.fault(of: "\(header).A.A", authority) == .tooLarge(bytes: 64 * 1024 + 1))
    }

    @Test func anApplicationsReceiptIsVerifiedAndRead() throws {
        let authority = try Samples.authority()
        let signed = try authority.sign(ApplicationReceiptTests.facts([]))
        let receipt = try Self.verifier(authority).verify(signed.compact, application: Samples.application)
        #expect(receipt.kind == .application)
        #expect(receipt.signedDate == Samples.date)
        #expect(receipt.transactionID == nil)
    }

    static func verifier(_ authority: ReceiptAuthority) throws -> ReceiptVerifier {
        try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
    }

    static func fault(
        of receipt: String,
        _ authority: ReceiptAuthority,
        application: String? = Samples.application,
        environment: ReceiptEnvironment? = nil
    ) -> ReceiptFault? {
        do {
            _ = try verifier(authority).verify(receipt, application: application, environment: environment)
            return nil
        } catch {
            return error as? ReceiptFault
        }
    }
}
