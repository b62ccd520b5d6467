import FoundationEssentials
import Testing
import TillModel
@testable import TillReceipts

@Suite struct FlatJSONTests {
    private struct Sample: Decodable, Equatable {
        var text: String
        var number: Int64
        var truth: Bool
        var nothing: String?
    }

    @Test(arguments: [
        "", "plain", "\"quoted\" and \\ back", "a/b", "tab\t line\n return\r zero\u{0} last\u{1F} delete\u{7F}",
        "Größe 日本 🎁", "e\u{301}\u{2028}",
    ])
    func aTextComesBackAsItWas(_ text: String) throws {
        var json = FlatJSON()
        json.add("text", text)
        json.add("number", Int64.min)
        json.add("nothing", String?.none)
        json.add("truth", true)
        let sample = try JSONDecoder().decode(Sample.self, from: Data(json.closed()))
        #expect(sample == Sample(text: text, number: .min, truth: true))
    }

    @Test func membersAreInOrderWithoutWhitespace() {
        var json = FlatJSON()
        #expect(json.closed() == Array("{}".utf8))
        json.add("b", "x/\u{1F}")
        json.add("a", 12)
        json.add("c", false)
        #expect(String(decoding: json.closed(), as: UTF8.self) == #"{"b":"x/\u001f","a":12,"c":false}"#)
    }
}

@Suite struct Base64URLTests {
    /// The vectors of RFC 4648, section 10, without padding, and the two characters that are specific to BASE64URL.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("~~?", "fn4_"), ("~~>", "fn4-"),
    ])
    func textsAreThoseOfTheStandard(plain: String, encoded: String) {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(Base64URL.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test func allBytesAreReadBack() {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
    }

    /// Padding, other alphabets, an extra character, and non-zero unused bits.
    @Test(arguments: ["A", "AAAAA", "Zg==", "Zm8=", "Zh", "Zm9", "a+b/", "Zm9v\n", " Zm9v", "Zm.9", "Zmé", "\u{0}"])
    func anyOtherTextIsRefused(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
