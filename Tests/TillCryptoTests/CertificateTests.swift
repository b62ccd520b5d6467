import CCrypto
import Foundation
import TestValues
import Testing
@testable import TillCrypto

@Suite struct CertificateTests {
    private static let leafMarker = "1.2.840.113635.100.6.11.1"

    @Test func theFieldsOfALeafAreRead() throws {
        let chain = try Fixtures.chain("store")
        let leaf = chain[0]
        #expect(leaf.publicKey.kind == .p256)
        #expect(leaf.notValidBefore == Date(timeIntervalSince1970: 1_795_210_097))
        #expect(leaf.notValidAfter == Date(timeIntervalSince1970: 1_826_746_097))
        #expect(leaf.authority == .no)
        #expect(leaf.keyUsage == .digitalSignature)
        #expect(try leaf.subjectKeyIdentifier == leaf.publicKey.identifier)
        #expect(try leaf.authorityKeyIdentifier == chain[1].publicKey.identifier)
        #expect(leaf.extensions.map(\.oid) == ["2.5.29.14", "2.5.29.35", "2.5.29.15", Self.leafMarker])
        #expect(leaf.extensions.map(\.isCritical) == [false, false, true, false])
        #expect(leaf[extension: Self.leafMarker]?.value == [0x05, 0x00])
        #expect(leaf[extension: "1.2.3.4"] == nil)
    }

    @Test func theFieldsOfAuthoritiesAreRead() throws {
        let chain = try Fixtures.chain("store")
        #expect(chain[1].authority == .yes(pathLength: 0))
        #expect(chain[2].authority == .yes(pathLength: nil))
        #expect(chain[1].keyUsage == [.certificateSigning, .listSigning])
        #expect(chain[2].authorityKeyIdentifier == nil)
        let plain = try Fixtures.chain("version1-root")[2]
        #expect(plain.authority == .no && plain.keyUsage == nil && plain.extensions.isEmpty)
    }

    @Test(arguments: [
        ("p256", PublicKey.Kind.p256), ("p384", .p384), ("p521", .p521), ("rsa2048", .rsa), ("ed25519", .ed25519),
    ])
    func theKindOfTheKeyIsRead(name: String, kind: PublicKey.Kind) throws {
        #expect(try Fixtures.chain(name)[2].publicKey.kind == kind)
    }

    @Test(arguments: [("secp256k1-root", 2), ("secp256k1-leaf", 0), ("explicit-root", 2)])
    func keysOfOtherCurvesAreRefused(name: String, place: Int) throws {
        let der = try Fixtures.chainBytes(name)[place]
        #expect(throws: CryptoFailure.self) { try Certificate(der: der) }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: ["store", "app-store", "p256", "p384", "p521", "rsa2048", "ed25519"])
    func eachIsIssuedByTheNext(name: String) throws {
        let chain = try Fixtures.chain(name)
        #expect(chain[0].isIssued(by: chain[1]) && chain[1].isIssued(by: chain[2]) && chain[2].isIssued(by: chain[2]))
        #expect(!chain[0].isIssued(by: chain[2]) && !chain[1].isIssued(by: chain[1]))
        let other = try Fixtures.chain("version1-root")
        #expect(!chain[0].isIssued(by: other[1]), "the name is the same, and the key is another")
        #expect(ERR_peek_error() == 0)
    }

    /// SHA-1, and RSASSA-PSS, whose parameters a signature chooses.
    @Test(arguments: [
        ("sha1-root", 2, 2), ("sha1-intermediate", 1, 2), ("sha1-leaf", 0, 1), ("pss-intermediate", 1, 2),
    ])
    func signaturesOfOtherAlgorithmsAreRefused(name: String, place: Int, issuer: Int) throws {
        let chain = try Fixtures.chain(name)
        #expect(!chain[place].isIssued(by: chain[issuer]))
    }

    /// A certificate that is read in spite of the damage is not issued by its issuer.
    @Test(arguments: [("store", 0), ("store", 1), ("store", 2), ("rsa2048", 1)])
    func damagedCertificatesAreReadWithoutATrapAndNotBelieved(name: String, place: Int) throws {
        let chain = try Fixtures.chain(name)
        let issuer = chain[min(place + 1, 2)]
        for damaged in chain[place].der.damaged {
            guard let certificate = try? Certificate(der: damaged) else { continue }
            #expect(certificate.der == damaged)
            #expect(!certificate.isIssued(by: issuer))
        }
        for count in chain[place].der.indices {
            #expect(throws: CryptoFailure.self) { try Certificate(der: Array(chain[place].der[..<count])) }
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test func tooManyBytesAreNotRead() throws {
        let bytes = [UInt8](repeating: 0x30, count: Certificate.bytesMaximum + 1)
        let failure = #expect(throws: CryptoFailure.self) { try Certificate(der: bytes) }
        #expect(failure?.message == "The certificate has more than 16384 bytes.")
    }

    /// Other encodings of the same certificate: the length with a zero before it, and without a length.
    @Test func otherEncodingsThanDERAreRefused() throws {
        let der = try Fixtures.chain("store")[0].der
        try #require(Array(der[..<2]) == [0x30, 0x82])
        let padded = [0x30, 0x83, 0] + der[2...]
        let open = [0x30, 0x80] + der[4...] + [0, 0]
        for other in [padded, open] {
            #expect(throws: CryptoFailure.self) { try Certificate(der: other) }
        }
    }

    @Test func aDuplicateExtensionIsRefused() throws {
        for oid in [Self.leafMarker, CertificateExtension.keyUsage] {
            let twice = [UInt8]([0x03, 0x02, 0x07, 0x80])
            let item = CertificateExtension(oid: oid, isCritical: false, value: twice)
            #expect(throws: CryptoFailure.self) { try Self.make([item, item]) }
        }
    }

    @Test(arguments: ["2.5.29.19", "2.5.29.15", "2.5.29.14", "2.5.29.35"])
    func anExtensionThatCannotBeReadIsRefused(oid: String) throws {
        let item = CertificateExtension(oid: oid, isCritical: false, value: [0x05, 0x01])
        #expect(throws: CryptoFailure.self) { try Self.make([item]) }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: ["", "x", "1", "2.5.29.", "3.1", "9999999999999999999999.1"])
    func anIdentifierThatIsNotOneIsRefused(oid: String) throws {
        let item = CertificateExtension(oid: oid, isCritical: false, value: [0x05, 0x00])
        #expect(throws: CryptoFailure.self) { try Self.make([item]) }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [-1e300, .infinity, .nan, 1e17, 253_402_300_800] as [Double])
    func aDateBeyondAllYearsIsRefused(seconds: Double) throws {
        #expect(throws: CryptoFailure.self) { try Self.make([], end: Date(timeIntervalSince1970: seconds)) }
        #expect(ERR_peek_error() == 0)
    }

    /// Certificates that earlier versions made with swift-certificates: the builder makes the same ones, except for the
    /// serial number and the signature.
    @Test(arguments: [
        (0, "Till Receipt Signing"), (1, "Till Receipt Intermediate"), (2, "Till Receipt Root"),
    ])
    func theBuilderMakesWhatEarlierVersionsMade(place: Int, subject: String) throws {
        let chain = try Fixtures.chain("store")
        let earlier = chain[place]
        let builder = CertificateBuilder(
            subject: subject,
            issuer: place == 2 ? nil : chain[place + 1],
            publicKey: earlier.publicKey,
            notValidBefore: earlier.notValidBefore,
            notValidAfter: earlier.notValidAfter,
            extensions: earlier.extensions
        )
        let certificate = try builder.signed(by: SigningKey())
        #expect(try Self.contents(of: certificate) == Self.contents(of: earlier))
    }

    /// The extensions as the builder's own functions write them.
    @Test func extensionsAreWrittenAsEarlierVersionsWroteThem() throws {
        let chain = try Fixtures.chain("store")
        let identifiers = try chain.map { try $0.publicKey.identifier }
        #expect(
            Array(chain[1].extensions.prefix(4)) == [
                .subjectKeyIdentifier(identifiers[1]), .authorityKeyIdentifier(identifiers[2]),
                .authority(pathLength: 0), .keyUsage([.certificateSigning, .listSigning]),
            ]
        )
        #expect(chain[2][extension: CertificateExtension.basicConstraints] == .authority(pathLength: nil))
        #expect(chain[0][extension: CertificateExtension.keyUsage] == .keyUsage(.digitalSignature))
    }

    @Test(arguments: [0, 127, 128, 255, 256, 5_000])
    func longIdentifiersAreWrittenAndReadAgain(count: Int) throws {
        let identifier = [UInt8](repeating: 7, count: count)
        let certificate = try Self.make([.subjectKeyIdentifier(identifier), .authorityKeyIdentifier(identifier)])
        #expect(certificate.subjectKeyIdentifier == identifier)
        #expect(certificate.authorityKeyIdentifier == identifier)
    }

    @Test(arguments: [nil, 0, 1, 127, 128, 255] as [UInt8?])
    func pathLengthsAreWrittenAndReadAgain(length: UInt8?) throws {
        let certificate = try Self.make([.authority(pathLength: length), .keyUsage(.certificateSigning)])
        #expect(certificate.authority == .yes(pathLength: length.map(Int.init)))
    }

    @Test(arguments: [-2_208_988_800, -1, 0, 2_524_607_999, 2_524_608_000, 253_402_300_799] as [Double])
    func datesAreWrittenAndReadAgain(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try Self.make([], end: date).notValidAfter == date)
    }

    @Test func serialNumbersDiffer() throws {
        let key = try SigningKey()
        let certificates = try (0..<20).map { _ in try Self.make([], key: key).der.prefix(40) }
        #expect(Set(certificates).count == 20)
    }

    /// What is signed, without the version and the serial number at its beginning.
    private static func contents(of certificate: Certificate) throws -> [UInt8] {
        let start = 8 + 5
        let serialNumberBytes = Int(certificate.der[start + 1])
        try #require(certificate.der[start] == 0x02)
        let length = Int(certificate.der[6]) << 8 | Int(certificate.der[7])
        return Array(certificate.der[(start + 2 + serialNumberBytes)..<(8 + length)])
    }

    private static func make(
        _ extensions: [CertificateExtension],
        key: SigningKey? = nil,
        end: Date = Date(timeIntervalSince1970: 2_000_000_000)
    ) throws -> Certificate {
        let key = if let key { key } else { try SigningKey() }
        let builder = CertificateBuilder(
            subject: "Subject",
            issuer: nil,
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: end,
            extensions: extensions
        )
        return try builder.signed(by: key)
    }
}
