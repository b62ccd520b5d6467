import TestValues
import Testing
import TillCrypto

@Suite struct AuthenticationCodeTests {
    private static func secret(_ bytes: [UInt8]) -> Secret {
        var bytes = bytes
        return Secret(moving: &bytes)
    }

    /// The test cases 1, 2, 3 and 6 of RFC 4231, and the code of nothing with an empty key.
    static let examples: [(key: [UInt8], message: [UInt8], code: String)] = [
        ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        (
            Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]

    @Test(arguments: examples.indices)
    func knownMessagesHaveTheirCodes(index: Int) throws {
        let (key, message, text) = Self.examples[index]
        let code = try #require(AuthenticationCode(of: message, key: Self.secret(key)))
        let expected = [UInt8](hex: text)
        #expect(code.matches(expected))
        #expect(!code.matches([]) && !code.matches(expected.dropLast()) && !code.matches(expected + [0]))
        for byte in expected.indices {
            var changed = expected
            changed[byte] ^= 1
            #expect(!code.matches(changed))
        }
    }

    @Test(arguments: [("", 0), ("\n\n", 0), ("a", 1), ("a\n", 1), ("a\n\nbc", 2), ("\na\nbc\n", 2)])
    func aSecretHasLines(text: String, count: Int) {
        let lines = Self.secret(Array(text.utf8)).lines.map { $0.withText(\.self) }
        #expect(lines == Array(["a", "bc"].prefix(count)))
    }
}
