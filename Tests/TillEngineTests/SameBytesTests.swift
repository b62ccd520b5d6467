import Testing
import TillModel

@Suite struct SameBytesTests {
    /// Texts that begin alike, that differ after a NUL or are canonically equivalent, and longer ones.
    static let texts =
        [
            "", "a", "b", "a\u{0}b", "a\u{0}c", "caf\u{E9}", "cafe\u{301}", "o\u{301}\u{323}", "o\u{323}\u{301}",
        ] + ["a", "b"].map { String(repeating: "receipt", count: 100) + $0 }

    @Test(arguments: texts)
    func onlyTheSameBytesAreTheSame(_ text: String) {
        for other in Self.texts {
            // Copied, so that the two do not share their memory.
            let other = String(decoding: Array(other.utf8), as: UTF8.self)
            #expect(text.hasSameBytes(as: other) == text.utf8.elementsEqual(other.utf8))
        }
        #expect(!text.hasSameBytes(as: nil))
    }
}
