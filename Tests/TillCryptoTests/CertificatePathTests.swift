import CCrypto
import Foundation
import Testing
import TillCrypto

@Suite struct CertificatePathTests {
    @Test(arguments: ["store", "app-store", "p256", "p384", "p521", "rsa2048", "ed25519"])
    func aPathIsValid(name: String) throws {
        let chain = try Fixtures.chain(name)
        #expect(CertificatePath(chain).fault(at: Self.date(of: chain)) == nil)
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [
        "rsa1024-root", "rsa1024-intermediate", "pss-intermediate", "sha1-root", "sha1-intermediate", "sha1-leaf",
        "version1-root", "version1-intermediate", "version1-leaf",
    ])
    func aWeakOrOldPathIsBroken(name: String) throws {
        let chain = try Fixtures.chain(name)
        #expect(CertificatePath(chain).fault(at: Self.date(of: chain)) == .broken)
        #expect(ERR_peek_error() == 0)
    }

    /// The places of a chain that a path has instead of all three in their order.
    @Test(arguments: [
        [], [0], [2], [0, 1], [0, 2], [1, 2], [0, 2, 1], [1, 0, 2], [0, 1, 1, 2], [0, 1, 2, 2], [0, 0, 2],
    ])
    func otherPathsAreBroken(places: [Int]) throws {
        let chain = try Fixtures.chain("p256")
        #expect(CertificatePath(places.map { chain[$0] }).fault(at: Self.date(of: chain)) == .broken)
    }

    @Test(arguments: [0, 1, 2])
    func aCertificateOfAnotherChainIsBroken(place: Int) throws {
        var chain = try Plan().chain()
        chain[place] = try Plan().chain()[place]
        #expect(CertificatePath(chain).fault(at: Plan.date) == .broken)
    }

    /// Both ends of the period belong to it, to the second.
    @Test(arguments: [
        (-1, CertificatePath.Fault.notValidYet), (-0.5, .notValidYet), (0, nil), (86_400, nil), (86_400.5, .expired),
        (86_401, .expired), (1e12, .expired), (-1e12, .notValidYet),
    ])
    func eachCertificateIsValidInItsPeriod(seconds: Double, fault: CertificatePath.Fault?) throws {
        for place in 0...2 {
            var plan = try Plan()
            plan.start[place] = 0
            plan.end[place] = 86_400
            let path = CertificatePath(try plan.chain())
            #expect(path.fault(at: Plan.date.addingTimeInterval(seconds)) == fault, "at \(place)")
        }
    }

    @Test func aPlannedChainIsValid() throws {
        #expect(try Plan().fault() == nil)
    }

    @Test(arguments: Breach.all)
    func aChainThatBreaksARuleIsBroken(breach: Breach) throws {
        var plan = try Plan()
        breach.change(&plan)
        #expect(try plan.fault() == .broken)
        #expect(ERR_peek_error() == 0)
    }

    @Test func manyThreadsVerifyOnePath() async throws {
        let path = CertificatePath(try Fixtures.chain("store"))
        let date = Date(timeIntervalSince1970: 1_795_300_000)
        await withTaskGroup(of: CertificatePath.Fault?.self) { group in
            for _ in 0..<200 { group.addTask { path.fault(at: date) } }
            for await fault in group { #expect(fault == nil) }
        }
    }

    private static func date(of chain: [Certificate]) -> Date {
        (chain.map(\.notValidBefore).max() ?? .distantPast).addingTimeInterval(60)
    }
}

/// A chain of three to be made: leaf, intermediate, root.
private struct Plan {
    static let date = Date(timeIntervalSince1970: 1_800_000_000)

    var extensions: [[CertificateExtension]]
    /// Seconds from the date.
    var start = [-1e6, -1e6, -1e6]
    var end = [1e6, 1e6, 1e6]
    private let keys: [SigningKey]

    init() throws {
        keys = [try SigningKey(), try SigningKey(), try SigningKey()]
        let identifiers = try keys.map { try $0.publicKey.identifier }
        let signing = CertificateExtension.keyUsage(.certificateSigning)
        extensions = [
            [.authorityKeyIdentifier(identifiers[1]), .keyUsage(.digitalSignature)],
            [
                .subjectKeyIdentifier(identifiers[1]), .authorityKeyIdentifier(identifiers[2]),
                .authority(pathLength: 0), signing,
            ],
            [.subjectKeyIdentifier(identifiers[2]), .authority(pathLength: nil), signing],
        ]
    }

    func chain() throws -> [Certificate] {
        let root = try certificate(2, issuer: nil)
        let intermediate = try certificate(1, issuer: root)
        return [try certificate(0, issuer: intermediate), intermediate, root]
    }

    func fault() throws -> CertificatePath.Fault? {
        CertificatePath(try chain()).fault(at: Self.date)
    }

    private func certificate(_ place: Int, issuer: Certificate?) throws -> Certificate {
        let builder = CertificateBuilder(
            subject: ["Leaf", "Intermediate", "Root"][place],
            issuer: issuer,
            publicKey: keys[place].publicKey,
            notValidBefore: Self.date.addingTimeInterval(start[place]),
            notValidAfter: Self.date.addingTimeInterval(end[place]),
            extensions: extensions[place]
        )
        return try builder.signed(by: keys[min(place + 1, 2)])
    }
}

/// A rule of RFC 5280 or of libcrypto's strict mode that a chain breaks.
struct Breach: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let change: @Sendable (inout Plan) -> Void

    static let all: [Breach] =
        [1, 2].flatMap(ofAuthority) + [
            Breach("a leaf that is an authority") { $0.set(0, .authority(pathLength: nil)) },
            Breach("a leaf that may not sign") { $0.set(0, .keyUsage(.listSigning)) },
            Breach("a leaf that does not name its issuer's key") {
                $0.remove(0, CertificateExtension.authorityKeyIdentifier)
            },
            Breach("a leaf that names another key") { $0.set(0, .authorityKeyIdentifier([1, 2, 3])) },
            Breach("an intermediate that names another key") { $0.set(1, .authorityKeyIdentifier([1, 2, 3])) },
            Breach("a root that issues leaves only") { $0.set(2, .authority(pathLength: 0)) },
        ]
        + [0, 1, 2].flatMap { place in
            criticalExtensions.map { oid, value in
                Breach("a critical extension \(oid) at \(place)") {
                    $0.set(place, CertificateExtension(oid: oid, isCritical: true, value: value))
                }
            }
        }

    /// Extensions that are not enforced, with valid values: one without a meaning, the constraints of names, policies and
    /// the extended key usage.
    private static let criticalExtensions: [(String, [UInt8])] = [
        ("1.2.3.4", [0x05, 0x00]),
        ("2.5.29.30", [0x30, 0x07, 0xA0, 0x05, 0x30, 0x03, 0x82, 0x01, 0x61]),
        ("2.5.29.32", [0x30, 0x06, 0x30, 0x04, 0x06, 0x02, 0x2A, 0x03]),
        ("2.5.29.37", [0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x03]),
    ]

    private static func ofAuthority(_ place: Int) -> [Breach] {
        [
            Breach("not an authority at \(place)") { $0.remove(place, CertificateExtension.basicConstraints) },
            Breach("an authority by an extension that is not critical at \(place)") {
                var item = CertificateExtension.authority(pathLength: nil)
                item.isCritical = false
                $0.set(place, item)
            },
            Breach("an authority that says that it is not one at \(place)") {
                let item = CertificateExtension(
                    oid: CertificateExtension.basicConstraints,
                    isCritical: true,
                    value: [0x30, 0x00]
                )
                $0.set(place, item)
            },
            Breach("no key usage at \(place)") { $0.remove(place, CertificateExtension.keyUsage) },
            Breach("another key usage at \(place)") { $0.set(place, .keyUsage(.digitalSignature)) },
            Breach("no identifier of the key at \(place)") {
                $0.remove(place, CertificateExtension.subjectKeyIdentifier)
            },
        ]
    }

    fileprivate init(_ testDescription: String, _ change: @escaping @Sendable (inout Plan) -> Void) {
        self.testDescription = testDescription
        self.change = change
    }
}

extension Plan {
    fileprivate mutating func set(_ place: Int, _ item: CertificateExtension) {
        remove(place, item.oid)
        extensions[place].append(item)
    }

    fileprivate mutating func remove(_ place: Int, _ oid: String) {
        extensions[place].removeAll { $0.oid == oid }
    }
}
