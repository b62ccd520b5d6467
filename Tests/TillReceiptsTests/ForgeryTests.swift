import FoundationEssentials
import Testing
import TillCrypto
import TillModel
import TillReceiptVerification
@testable import TillReceipts

/// Receipts with signatures that differ from a store's.
@Suite struct ForgeryTests {
    @Test func aCorrectReceiptOfTheTestChainIsAccepted() throws {
        let chain = try ForgedChain()
        #expect(try Self.fault(chain) { _ in } == nil)
    }

    @Test(arguments: ["none", "ES384", "ES512", "HS256", "RS256", "es256", "EdDSA", ""])
    func anotherAlgorithmIsRefused(name: String) throws {
        let chain = try ForgedChain()
        #expect(try Self.fault(chain) { $0.header["alg"] = .string(name) } == .algorithm(name))
        #expect(try Self.fault(chain) { $0.header["alg"] = nil } == .algorithm("none"))
    }

    /// Uses the public key as a shared secret: the attack on libraries that trust the header's algorithm.
    @Test func aMACWithThePublicKeyIsRefused() throws {
        let chain = try ForgedChain()
        let secret = chain.leaf.certificate.der
        let fault = try Self.fault(chain) {
            $0.header["alg"] = "HS256"
            $0.signature = { Self.hmac($0, secret) }
        }
        #expect(fault == .algorithm("HS256"))
    }

    @Test func aSignatureInDERIsRefused() throws {
        let chain = try ForgedChain()
        let key = try #require(chain.leaf.key)
        let fault = try Self.fault(chain) { $0.signature = { try key.sign(SHA256Digest(of: $0)).der } }
        guard case .malformed? = fault else {
            Issue.record("It was \(String(describing: fault)).")
            return
        }
    }

    @Test(arguments: [0, 1, 63, 65, 96, 128])
    func aSignatureOfAnotherLengthIsRefused(count: Int) throws {
        let fault = try Self.fault(ForgedChain()) { $0.signature = { _ in [UInt8](repeating: 1, count: count) } }
        #expect(fault == .malformed("its signature has \(count) bytes where ES256 has 64"))
    }

    @Test(arguments: [0, 1, 2, 4, 5])
    func aChainOfAnotherLengthIsRefused(length: Int) throws {
        let chain = try ForgedChain()
        let fault = try Self.fault(chain) {
            let all = ($0.certificates ?? []) + ($0.certificates ?? [])
            $0.certificates = Array(all.prefix(length))
        }
        #expect(fault == .chainLength(length))
    }

    @Test(arguments: [nil, .bool(false), "MIIB", .array([1, 2, 3]), .object([:])] as [JSON?])
    func aHeaderWithoutAListOfCertificatesIsRefused(list: JSON?) throws {
        let chain = try ForgedChain()
        let fault = try Self.fault(chain) {
            $0.certificates = nil
            $0.header["x5c"] = list
        }
        #expect(fault == .malformed("its header has no x5c, or one that is not all strings"))
    }

    @Test func aHeaderWithCriticalExtensionsIsRefused() throws {
        let chain = try ForgedChain()
        let fault = try Self.fault(chain) { $0.header["crit"] = .array(["b64"]) }
        #expect(fault == .malformed("its header asks for extensions that receipts do not have"))
    }

    @Test(arguments: [0, 1, 2])
    func aCertificateInBase64URLOrJunkIsRefused(place: Int) throws {
        let chain = try ForgedChain()
        for junk in ["", "AAAA", "!", "MIIB", "MIIB_-8", "MIIB "] {
            let fault = try Self.fault(chain) { $0.certificates?[place] = junk }
            guard case .certificate? = fault else {
                Issue.record("\(junk) at \(place) was \(String(describing: fault)).")
                return
            }
        }
    }

    @Test(arguments: [CertificateRole.leaf, .intermediate])
    func aMissingMarkerIsRefused(role: CertificateRole) throws {
        let chain = try ForgedChain(ForgedChain.Plan(unmarked: [role]))
        guard case .certificate(let reason)? = try Self.fault(chain, { _ in }) else {
            Issue.record("It was accepted.")
            return
        }
        #expect(reason.contains("lacks the extension"))
    }

    @Test func aLeafWithAnotherCurveIsRefused() throws {
        let chain = try ForgedChain(ForgedChain.Plan(leafCurve: .p384))
        let fault = try Self.fault(chain) { $0.signature = { _ in [UInt8](repeating: 1, count: 64) } }
        #expect(fault == .certificate("the leaf has no P-256 key"))
        #expect(try Self.fault(chain) { $0.header["alg"] = "ES384" } == .algorithm("ES384"))
    }

    /// The days between the certificate's date and the signing date; each certificate is valid from one day before to
    /// ten days after its date.
    @Test(arguments: CertificateRole.allCases, [(-20, "one had expired"), (20, "one was not valid yet")])
    func aCertificateThatIsNotValidAtTheSigningDateIsRefused(role: CertificateRole, sample: (Double, String))
        throws
    {
        let date = Samples.date.addingTimeInterval(sample.0 * Samples.day)
        let chain = try ForgedChain(ForgedChain.Plan(dates: [role: date]))
        #expect(try Self.fault(chain) { _ in } == .chain(sample.1))
    }

    @Test(arguments: [ForgedChain.Plan(critical: [.leaf]), ForgedChain.Plan(powerless: [.intermediate])])
    func aChainThatViolatesTheCertificateRulesIsRefused(plan: ForgedChain.Plan) throws {
        guard case .chain? = try Self.fault(ForgedChain(plan), { _ in }) else {
            Issue.record("It was accepted.")
            return
        }
    }

    /// A root with the trusted one's name and key is another root: they are compared byte by byte.
    @Test func aReissuedRootIsRefused() throws {
        let trusted = try ForgedChain()
        let verifier = try ReceiptVerifier(rootCertificates: [trusted.root.certificate.der])
        var chain = trusted
        chain.root = try ForgedChain.make(.root, try #require(trusted.root.key), issuer: nil)
        let compact = try Forgery(chain.all).compact()
        #expect(throws: ReceiptFault.foreignRoot) { try verifier.verify(compact) }
        #expect(try Self.fault(chain) { _ in } == nil)
    }

    /// The root is trusted and the leaf's issuer is included, but they are unrelated.
    @Test func aChainThatOnlyContainsTheRootIsRefused() throws {
        let trusted = try ForgedChain()
        var chain = try ForgedChain()
        chain.root = trusted.root
        guard case .chain? = try Self.fault(chain, { _ in }) else {
            Issue.record("It was accepted.")
            return
        }
    }

    /// The root issued the leaf; the included intermediate is valid, but did not issue it.
    @Test func aLeafIssuedByTheRootIsRefused() throws {
        var chain = try ForgedChain()
        chain.leaf = try ForgedChain.make(.leaf, SigningKey(), issuer: chain.root)
        guard case .chain? = try Self.fault(chain, { _ in }) else {
            Issue.record("It was accepted.")
            return
        }
    }

    /// The leaf's key signs a header with the changed certificates.
    @Test(arguments: [0, 1, 2])
    func aChangedCertificateIsRefused(place: Int) throws {
        let chain = try ForgedChain()
        let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
        let der = chain.all[place].certificate.der
        for index in stride(from: place, to: der.count, by: 3) {
            var changed = der
            changed[index] ^= UInt8(1 << (index % 8))
            var forgery = try Forgery(chain.all)
            forgery.certificates?[place] = Data(changed).base64EncodedString()
            let compact = try forgery.compact()
            #expect(throws: ReceiptFault.self, "at \(index)") { try verifier.verify(compact) }
        }
    }

    @Test func anotherKeysSignatureIsRefused() throws {
        let fault = try Self.fault(ForgedChain()) { $0.key = try SigningKey() }
        #expect(fault == .signature)
    }

    @Test(arguments: ClaimsCase.all)
    func invalidClaimsAreRefused(sample: ClaimsCase) throws {
        let fault = try Self.fault(ForgedChain()) { $0.claims.merge(sample.claims) { $1 } }
        #expect(fault == sample.fault)
    }

    @Test func missingRequiredClaimsAreRefused() throws {
        for name in ["bundleId", "environment", "signedDate"] {
            guard case .malformed? = try Self.fault(ForgedChain(), { $0.claims[name] = nil }) else {
                Issue.record("\(name) was not missed.")
                return
            }
        }
    }

    /// HMAC with SHA-256, as HS256 has it, for a secret longer than a block of 64 bytes, which is hashed first (RFC 2104).
    private static func hmac(_ text: [UInt8], _ secret: [UInt8]) -> [UInt8] {
        let key = SHA256Digest(of: secret).bytes + [UInt8](repeating: 0, count: 32)
        let inner = SHA256Digest(of: key.map { $0 ^ 0x36 } + text)
        return SHA256Digest(of: key.map { $0 ^ 0x5C } + inner.bytes).bytes
    }

    /// The error of a changed receipt that the chain's leaf signs; nil if it is accepted.
    static func fault(_ chain: ForgedChain, _ change: (inout Forgery) throws -> Void) throws -> ReceiptFault? {
        var forgery = try Forgery(chain.all)
        try change(&forgery)
        let verifier = try ReceiptVerifier(rootCertificates: [chain.root.certificate.der])
        do {
            _ = try verifier.verify(try forgery.compact(), application: Samples.application)
            return nil
        } catch let fault as ReceiptFault {
            return fault
        }
    }
}

/// Correctly signed receipts with invalid claims.
struct ClaimsCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var claims: [String: JSON]
    var fault: ReceiptFault?

    private static let noDate = ReceiptFault.malformed("it does not say when it was signed")
    private static let unreadable = ReceiptFault.malformed("a part is not JSON as receipts have it")

    static let all = [
        ClaimsCase(
            testDescription: "another environment",
            claims: ["environment": "Linux"],
            fault: .environment("Linux")
        ),
        ClaimsCase(testDescription: "another application", claims: ["bundleId": "a"], fault: .application("a")),
        ClaimsCase(testDescription: "date before 1970", claims: ["signedDate": -1], fault: noDate),
        ClaimsCase(testDescription: "date beyond all years", claims: ["signedDate": .integer(.max)], fault: noDate),
        ClaimsCase(testDescription: "date as a text", claims: ["signedDate": "1795276800000"], fault: unreadable),
        ClaimsCase(testDescription: "application as a number", claims: ["bundleId": 1], fault: unreadable),
        ClaimsCase(
            testDescription: "purchase beyond all years",
            claims: ["purchaseDate": .integer(.min), "expiresDate": .integer(.max)],
            fault: nil
        ),
        ClaimsCase(
            testDescription: "application's receipt without its date",
            claims: ["receiptType": "Sandbox"],
            fault: noDate
        ),
        ClaimsCase(testDescription: "unknown members", claims: ["a": .array([.object([:])])], fault: nil),
    ]
}
