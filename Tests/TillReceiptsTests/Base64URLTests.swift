import FoundationEssentials
import Testing
import TillModel

@Suite struct Base64URLTests {
    /// RFC 4648, section 10, without padding; and the two letters that BASE64URL has of its own.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("~~?", "fn4_"), ("~~>", "fn4-"),
    ])
    func textsAreThoseOfTheStandard(plain: String, encoded: String) {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(Base64URL.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test func allBytesComeBack() {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
    }

    /// Padding, other alphabets, a letter too many, and bits that no byte has.
    @Test(arguments: ["A", "AAAAA", "Zg==", "Zm8=", "Zh", "Zm9", "a+b/", "Zm9v\n", " Zm9v", "Zm.9", "Zmé", "\u{0}"])
    func anyOtherTextIsRefused(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
