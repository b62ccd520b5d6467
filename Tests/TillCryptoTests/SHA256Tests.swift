import TestValues
import Testing
import TillCrypto

@Suite struct SHA256Tests {
    /// The examples of NIST for FIPS 180-4, and the hash of nothing.
    static let examples: [(String, Int, String)] = [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: examples)
    func knownTextsHaveTheirHashes(text: String, count: Int, hash: String) throws {
        let bytes = Array(String(repeating: text, count: count).utf8)
        #expect(SHA256Digest(of: bytes).bytes == [UInt8](hex: hash))
    }

    @Test func piecesHaveTheHashOfTheWhole() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = SHA256Digest(of: bytes)
        for index in 0...bytes.count {
            var hasher = SHA256Hasher()
            hasher.update(bytes[..<index])
            hasher.update(bytes[index...].lazy.map(\.self))
            #expect(hasher.digest == whole, "in two pieces at \(index)")
        }
    }

    @Test func aCopyContinuesByItself() {
        var first = SHA256Hasher()
        first.update("ab".utf8)
        var second = first
        first.update("c".utf8)
        #expect(second.digest == SHA256Digest(of: "ab".utf8))
        second.update("d".utf8)
        #expect(first.digest == SHA256Digest(of: "abc".utf8))
        #expect(second.digest == SHA256Digest(of: "abd".utf8))
    }
}
