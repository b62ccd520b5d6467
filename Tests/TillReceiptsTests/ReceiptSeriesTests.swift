import Testing
import TillCrypto
import TillModel
@testable import TillReceiptVerification
@testable import TillReceipts

/// Many receipts, of which most have the same header.
@Suite struct ReceiptSeriesTests {
    /// A change of a receipt that a chain signed, most with the chain's own header, and the fault that it makes.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: ReceiptFault?
        var change: @Sendable (inout Forgery) throws -> Void

        init(
            _ description: String,
            _ fault: ReceiptFault?,
            _ change: @escaping @Sendable (inout Forgery) throws -> Void
        ) {
            testDescription = description
            self.fault = fault
            self.change = change
        }
    }

    /// The chain's certificates are valid from one day before to ten days after the samples' date.
    private static let cases = [
        Case("unchanged", nil) { _ in },
        Case("on the last day", nil) { $0.claims["signedDate"] = day(10) },
        Case("after the last day", .chain("one had expired")) { $0.claims["signedDate"] = day(11) },
        Case("on the first day", nil) { $0.claims["signedDate"] = day(-1) },
        Case("before the first day", .chain("one was not valid yet")) { $0.claims["signedDate"] = day(-2) },
        Case("without a date", .malformed("it does not say when it was signed")) { $0.claims["signedDate"] = nil },
        Case("of another key", .signature) { $0.key = try SigningKey() },
        Case("with a short signature", .malformed("its signature has 63 bytes where ES256 has 64")) {
            $0.signature = { _ in [UInt8](repeating: 1, count: 63) }
        },
        Case("with another algorithm", .algorithm("HS256")) { $0.header["alg"] = "HS256" },
        Case("with critical extensions", .malformed("its header asks for extensions that receipts do not have")) {
            $0.header["crit"] = .array(["b64"])
        },
        Case("with two certificates", .chainLength(2)) { $0.certificates?.removeLast() },
        Case("of a foreign root", .foreignRoot) { $0 = try Forgery(ForgedChain().all) },
        Case(
            "of a foreign leaf",
            .chain("one was not issued by the next, or the next may not issue it")
        ) { forgery in
            let leaf = try ForgedChain.make(.leaf, SigningKey(), issuer: ForgedChain().intermediate)
            forgery.certificates?[0] = try Forgery([leaf]).certificates?.first ?? ""
            forgery.key = try #require(leaf.key)
        },
    ]

    @Test(arguments: cases)
    func aKnownHeaderWeakensNoCheck(_ sample: Case) throws {
        let chain = try ForgedChain()
        let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
        let good = try Forgery(chain.all).compact()
        var forgery = try Forgery(chain.all)
        try sample.change(&forgery)
        let compact = try forgery.compact()
        var series = ReceiptSeriesVerifier(verifier)
        #expect(Self.fault(of: compact, &series) == sample.fault, "as the first receipt")
        #expect(Self.fault(of: good, &series) == nil)
        #expect(Self.fault(of: compact, &series) == sample.fault, "after one with the header")
        #expect(Self.fault(of: good, &series) == nil)
        var alone = ReceiptSeriesVerifier(verifier)
        #expect(Self.fault(of: compact, &alone) == sample.fault)
    }

    /// The payload and the signature of a receipt with a known header are verified as ever.
    @Test func aChangeAfterAKnownHeaderIsDetected() throws {
        let chain = try ForgedChain()
        var series = ReceiptSeriesVerifier(try ReceiptVerifier(rootCertificates: [chain.root.certificate.der]))
        let good = try Forgery(chain.all).compact()
        #expect(Self.fault(of: good, &series) == nil)
        let bytes = Array(good.utf8)
        let start = try #require(bytes.firstIndex(of: UInt8(ascii: ".")))
        for index in bytes.indices.dropFirst(start + 1) where bytes[index] != UInt8(ascii: ".") {
            var changed = bytes
            changed[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "Q") : UInt8(ascii: "A")
            #expect(Self.fault(of: String(decoding: changed, as: UTF8.self), &series) != nil, "at \(index)")
        }
    }

    @Test func aChainIsVerifiedOnceForAllItsReceipts() throws {
        let chain = try ForgedChain()
        let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
        var chains = VerifiedChains()
        for number in 1...3 {
            var forgery = try Forgery(chain.all)
            forgery.claims["transactionId"] = .string("\(number)")
            #expect(try verifier.verify(try forgery.compact(), &chains).transactionID == "\(number)")
        }
        #expect(chains.count == 1)
    }

    /// A chain that was refused is refused again, so nothing of it is kept.
    @Test(arguments: cases.filter { $0.fault != nil && $0.fault != .signature })
    func onlyAVerifiedChainIsKept(_ sample: Case) throws {
        let chain = try ForgedChain()
        let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
        var forgery = try Forgery(chain.all)
        try sample.change(&forgery)
        let compact = try forgery.compact()
        var chains = VerifiedChains()
        #expect(throws: ReceiptFault.self) { try verifier.verify(compact, &chains) }
        #expect(chains.count == 0)
    }

    @Test func chainsAreKeptUpToALimit() throws {
        let chain = try ForgedChain()
        let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
        var chains = VerifiedChains()
        for number in 1...VerifiedChains.countMaximum + 1 {
            var other = chain
            other.leaf = try ForgedChain.make(.leaf, SigningKey(), issuer: chain.intermediate)
            _ = try verifier.verify(try Forgery(other.all).compact(), &chains)
            #expect(chains.count == (number <= VerifiedChains.countMaximum ? number : 1))
        }
    }

    private static func day(_ count: Int64) -> JSON {
        .integer(1_795_276_800_000 + count * 86_400_000)
    }

    private static func fault(of receipt: String, _ series: inout ReceiptSeriesVerifier) -> ReceiptFault? {
        do {
            _ = try series.verify(receipt)
            return nil
        } catch {
            return error
        }
    }
}
