import CCrypto
import Foundation
import TestValues
import Testing
import TillCrypto

@Suite struct SigningTests {
    /// The key of RFC 6979, section A.2.5, as an ECPrivateKey (RFC 5915) without its public key.
    private static let exampleKey =
        "30310201010420c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721a00a06082a8648ce3d030107"
    /// R and S of its signatures with SHA-256.
    static let examples: [(String, String)] = [
        (
            "sample",
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        ),
        (
            "test",
            "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                + "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
        ),
    ]

    @Test(arguments: examples)
    func knownSignaturesAreValid(text: String, signature: String) throws {
        let key = try SigningKey(der: [UInt8](hex: Self.exampleKey))
        let raw = [UInt8](hex: signature)
        let read = try #require(Signature(raw: raw))
        #expect(key.publicKey.isValid(read, for: SHA256Digest(of: text.utf8)))
        #expect(read.raw() == raw)
        #expect(!key.publicKey.isValid(read, for: SHA256Digest(of: "\(text) ".utf8)))
        #expect(!(try SigningKey().publicKey.isValid(read, for: SHA256Digest(of: text.utf8))))
    }

    @Test func aSignatureOfTheCommandIsValid() throws {
        let key = try Fixtures.chain("p256")[0].publicKey
        let der = try #require(Data(base64Encoded: try Fixtures.text("p256.signature")))
        let digest = SHA256Digest(of: Fixtures.signedText.utf8)
        #expect(key.isValid(Signature(der: Array(der)), for: digest))
        for changed in Array(der).damaged {
            #expect(!key.isValid(Signature(der: changed), for: digest))
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [Curve.p256, .p384])
    func aKeyIsWrittenAndReadAgain(curve: Curve) throws {
        let key = try SigningKey(curve)
        let again = try SigningKey(der: try key.der)
        #expect(key.curve == curve && again.curve == curve)
        #expect(again.publicKey == key.publicKey)
        #expect(try again.der == key.der)
        #expect(try SigningKey(curve).publicKey != key.publicKey)
        let raw = try #require(try key.sign(SHA256Digest(of: "a".utf8)).raw(curve))
        #expect(raw.count == curve.fieldBytes * 2)
        #expect(ERR_peek_error() == 0)
    }

    /// PKCS #8 with an ECPrivateKey that has the public key: what earlier versions wrote, too.
    @Test func aKeyIsWrittenInPKCS8() throws {
        let key = try SigningKey()
        let der = try key.der
        let head = [UInt8](hex: "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420")
        #expect(Array(der[..<36]) == head)
        #expect(Array(der[68...]) == [UInt8](hex: "a144034200") + key.publicKey.bytes)
    }

    @Test func signaturesHaveThirtyTwoBytesForEachNumber() throws {
        let key = try SigningKey()
        for number in 0..<600 {
            let digest = SHA256Digest(of: "\(number)".utf8)
            let signature = try key.sign(digest)
            let raw = try #require(signature.raw())
            #expect(raw.count == 64)
            #expect(Signature(raw: raw) == signature)
            #expect(key.publicKey.isValid(signature, for: digest))
        }
    }

    @Test func numbersThatAreNotOfASignatureAreRefused() throws {
        let key = try SigningKey()
        let digest = SHA256Digest(of: "a".utf8)
        for count in [0, 1, 63, 65, 98, 100_000] {
            #expect(Signature(raw: [UInt8](repeating: 1, count: count)) == nil)
        }
        for byte in [UInt8.min, .max] {
            let signature = try #require(Signature(raw: [UInt8](repeating: byte, count: 64)))
            #expect(!key.publicKey.isValid(signature, for: digest))
        }
        #expect(try SigningKey(.p384).sign(digest).raw(.p256) == nil)
        #expect(Signature(der: []).raw() == nil)
        #expect(Signature(der: [UInt8](repeating: 0x30, count: 1_000)).raw() == nil)
    }

    /// A signature is valid in one encoding: S is not read with a longer length or leading zeros.
    @Test func otherEncodingsOfASignatureAreRefused() throws {
        let key = try SigningKey()
        let digest = SHA256Digest(of: "a".utf8)
        let der = try key.sign(digest).der
        let longLength = [der[0], 0x81] + der[1...]
        let padded = [der[0], der[1] + 1, der[2], der[3] + 1, 0] + der[4...]
        let trailing = der + [0]
        for other in [longLength, padded, trailing] {
            #expect(!key.publicKey.isValid(Signature(der: other), for: digest))
        }
    }

    @Test(arguments: ["rsa", "ed25519", "secp256k1", "explicit", "encrypted"])
    func keysOfOtherKindsAreRefused(name: String) throws {
        let der = try Fixtures.key(name)
        #expect(throws: CryptoFailure.self) { try SigningKey(der: der) }
        #expect(ERR_peek_error() == 0)
    }

    /// An RSA key's own check would take seconds.
    @Test func theKindOfAKeyIsCheckedFirst() throws {
        let failure = #expect(throws: CryptoFailure.self) { try SigningKey(der: try Fixtures.key("rsa")) }
        #expect(failure?.message == "The key is not a key of P-256 or P-384.")
    }

    @Test func aKeyWithTheWrongPublicKeyIsRefused() throws {
        let der = try SigningKey().der
        let other = try SigningKey().publicKey.bytes
        let mixed = der.dropLast(other.count) + other
        #expect(throws: CryptoFailure.self) { try SigningKey(der: Array(mixed)) }
    }

    @Test func damagedKeysAreReadWithoutATrap() throws {
        let der = try Fixtures.key("p256")
        for damaged in der.damaged {
            guard let key = try? SigningKey(der: damaged) else { continue }
            let digest = SHA256Digest(of: der)
            #expect(try key.publicKey.isValid(key.sign(digest), for: digest))
        }
        for count in [0, 1, SigningKey.bytesMaximum, SigningKey.bytesMaximum + 1] {
            #expect(throws: CryptoFailure.self) { try SigningKey(der: [UInt8](repeating: 0x30, count: count)) }
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test func aKeyIsNotPrinted() throws {
        let key = try SigningKey()
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "redacted" && String(reflecting: key) == "redacted" && dumped == "- redacted\n")
    }

    @Test func aFailureSaysWhyInOneSentence() throws {
        let failure = #expect(throws: CryptoFailure.self) { try SigningKey(der: [1, 2, 3]) }
        #expect(failure?.message.hasPrefix("The key cannot be read") == true)
        #expect(failure?.message.hasSuffix(".") == true)
    }

    /// At exit, other threads may still sign. Handlers run in reverse order: this one is registered before libcrypto's
    /// first use, so it would run after libcrypto's own.
    @Test func libcryptoStillWorksAtExit() async {
        await #expect(processExitsWith: .success) {
            atexit { _exit(OPENSSL_init_crypto(0, nil) == 1 ? EXIT_SUCCESS : EXIT_FAILURE) }
            _ = try SigningKey().sign(SHA256Digest(of: []))
            exit(EXIT_FAILURE)
        }
    }

    @Test func manyThreadsUseOneKey() async throws {
        let key = try SigningKey()
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let digest = SHA256Digest(of: "\(number)".utf8)
                    return (try? key.sign(digest)).map { key.publicKey.isValid($0, for: digest) } ?? false
                }
            }
            for await isValid in group { #expect(isValid) }
        }
    }
}
