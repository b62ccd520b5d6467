import Testing

@testable import TillReceipts

@Suite struct SecretTests {
    private struct Holder {
        var name = "key"
        var secret: Secret
        var list: [Secret]
        var byName: [String: Secret?]
    }

    @Test func nothingThatPrintsShowsIt() {
        var bytes = Array("canary-9f3e".utf8)
        let secret = Secret(moving: &bytes)
        let holder = Holder(secret: secret, list: [secret], byName: ["a": secret])
        var dumped = ""
        dump(holder, to: &dumped)
        let texts = [
            "\(secret)", secret.description, secret.debugDescription, String(describing: secret),
            String(reflecting: secret), "\(holder)", String(reflecting: holder), "\(Optional(secret) as Any)", dumped,
        ]
        for text in texts {
            #expect(text.contains("redacted"), "\(text)")
            #expect(!text.contains("canary") && !text.contains("99, 97, 110"), "\(text)")
        }
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(secret.withText { $0 } == "canary-9f3e")
        #expect(secret.count == 11)
    }

    @Test func whereItCameFromIsEmptied() {
        var bytes = Array("canary".utf8)
        _ = Secret(moving: &bytes)
        #expect(bytes.isEmpty)
        var none: [UInt8] = []
        #expect(Secret(moving: &none).withText { $0 }.isEmpty)
        var part = Array("canary and more".utf8)
        #expect(Secret(moving: &part, count: 6).withText { $0 } == "canary")
    }
}
