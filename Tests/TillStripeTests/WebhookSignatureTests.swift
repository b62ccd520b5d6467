import StripeStandIn
import Testing
import TillCrypto
import TillModel

@testable import TillStripe

/// What the header of a webhook proves. The stand-in signs with an implementation of its own.
@Suite struct WebhookSignatureTests {
    static let secrets = ["whsec_first", "whsec_second", "whsec_third"]
    static let now: Int64 = 1_800_000_000
    static let body = #"{"id":"evt_1","object":"event"}"#

    /// The header of a webhook.
    static func header(_ secrets: [String] = ["whsec_first"], at time: Int64 = now, _ body: String = body) -> String {
        Webhook.signature(body, secrets: secrets, at: Int(time))
    }

    private static func verdict(_ headers: [String], _ body: String = body) throws -> WebhookSignature.Verdict {
        WebhookSignature.verdict(
            headers,
            body: Array(body.utf8),
            secrets: try WebhookSecrets(secrets),
            now: now
        )
    }

    @Test(arguments: [
        header(), header(["whsec_second"]), header(["whsec_third"]), header(["whsec_other", "whsec_second"]),
        header(at: now - 300), header(at: now + 300), header() + ",v0=00", "v0=6ffbb59b2300aae63f272406," + header(),
        header() + ",v1=" + String(repeating: "0", count: 64), header() + ",v2=",
        header().replacing("v1=", with: "v1=00,v1="), header().split(separator: ",").reversed().joined(separator: ","),
    ])
    func aWebhookIsGenuine(header: String) throws {
        #expect(try Self.verdict([header]) == .genuine)
    }

    private static let refused: [([String], WebhookRefusal)] = [
        ([], .noSignature),
        ([header(["whsec_other"])], .wrongSignature),
        ([header([])], .wrongSignature),
        ([header().replacing("v1=", with: "v0=")], .wrongSignature),
        ([header().replacing("t=\(now)", with: "t=\(now - 1)")], .wrongSignature),
        ([header().replacing("t=\(now)", with: "t=0\(now)")], .wrongSignature),
        ([String(header().dropLast())], .wrongSignature),
        ([String(header().dropLast()) + "g"], .wrongSignature),
        ([header() + "0"], .wrongSignature),
        ([header(at: now - 301)], .wrongTime),
        ([header(at: now + 301)], .wrongTime),
        ([header(at: 0)], .wrongTime),
        ([header(at: 999_999_999_999_999_999)], .wrongTime),
        ([header(at: .max)], .malformedSignature),
        ([header(at: -1)], .malformedSignature),
        ([header().replacing("t=", with: "t=+")], .malformedSignature),
        ([header().replacing("t=", with: "t= ")], .malformedSignature),
        ([header().replacing("t=\(now)", with: "t=")], .malformedSignature),
        ([header().replacing("t=\(now)", with: "t=\(now)0000000000000000000")], .malformedSignature),
        ([header().replacing("t=\(now),", with: "")], .malformedSignature),
        ([header() + ",t=\(now)"], .malformedSignature),
        ([""], .malformedSignature), (["t"], .malformedSignature), (["="], .malformedSignature),
        ([header() + ","], .malformedSignature), ([header() + ",v1"], .malformedSignature),
        ([header(), header()], .malformedSignature),
        ([header(["whsec_other"]), header()], .malformedSignature),
        ([header(Array(repeating: "whsec_first", count: 17))], .malformedSignature),
        ([header() + ",x=" + String(repeating: "a", count: 2048)], .malformedSignature),
    ]

    @Test(arguments: refused.indices)
    func aWebhookIsRefused(index: Int) throws {
        let (headers, refusal) = Self.refused[index]
        #expect(try Self.verdict(headers) == .refused(refusal), "\(headers)")
    }

    @Test func sixteenSignaturesAreRead() throws {
        let others = Array(repeating: "whsec_other", count: WebhookSignature.signaturesMaximum - 1)
        #expect(try Self.verdict([Self.header(others + ["whsec_first"])]) == .genuine)
    }

    @Test func anyChangeOfTheBodyIsRefused() throws {
        let header = Self.header()
        for index in Self.body.utf8.indices {
            var bytes = Array(Self.body.utf8)
            bytes[Self.body.utf8.distance(from: Self.body.utf8.startIndex, to: index)] ^= 1
            #expect(try Self.verdict([header], String(decoding: bytes, as: UTF8.self)) == .refused(.wrongSignature))
        }
        #expect(try Self.verdict([header], Self.body + " ") == .refused(.wrongSignature))
        #expect(try Self.verdict([header], "") == .refused(.wrongSignature))
        #expect(try Self.verdict([Self.header(at: Self.now, "")], "") == .genuine)
    }

    @Test(arguments: [
        ["whsec_a"], ["whsec_a", ""], ["whsec_a", "whsec_b", "whsec_c"],
        ["whsec_" + String(repeating: "a", count: WebhookSecrets.lengthMaximum - 6)],
    ])
    func secretsAreRead(lines: [String]) throws {
        #expect(try WebhookSecrets(lines).all.count == lines.count { !$0.isEmpty })
    }

    @Test(arguments: [
        [], ["", ""], ["whsec_"], ["rk_test_abcdef"], ["whsec_a", "b"], ["whsec_a b"], ["whsec_a\r"], ["whsec_é"],
        ["whsec_a", "whsec_b", "whsec_c", "whsec_d"],
        ["whsec_" + String(repeating: "a", count: WebhookSecrets.lengthMaximum - 5)],
    ])
    func otherSecretsAreRefusedAndNotPrinted(lines: [String]) {
        let error = #expect(throws: TillError.self) { try WebhookSecrets(lines) }
        #expect(error?.message.hasSuffix(".") == true)
        #expect(lines.filter { $0.count > 6 }.allSatisfy { error?.message.contains($0) == false })
    }

    @Test func secretsAreNotPrinted() throws {
        #expect("\(try WebhookSecrets(Self.secrets))" == "redacted")
        #expect(String(reflecting: try WebhookSecrets(Self.secrets)) == "redacted")
    }
}

extension WebhookSecrets {
    init(_ lines: [String]) throws(TillError) {
        var bytes = Array(lines.joined(separator: "\n").utf8)
        try self.init(Secret(moving: &bytes))
    }
}
