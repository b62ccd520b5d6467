import FoundationEssentials
import Logging
import NIOCore
import StripeStandIn
import Synchronization
import Testing
import TillCrypto
import TillDaemon
import TillHTTP
import TillModel
import TillTesting

@testable import TillStripe

/// The listener over real sockets.
@Suite(.timeLimit(.minutes(5))) struct WebhookListenerTests {
    static let body = WebhookSignatureTests.body

    private static func post(
        _ body: String = body,
        to path: String = WebhookListener.path,
        headers: [String] = ["Stripe-Signature: \(WebhookSignatureTests.header())"]
    ) -> String {
        let lines = ["POST \(path) HTTP/1.1", "Host: shop", "Content-Length: \(body.utf8.count)"] + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private static func signed(_ body: String) -> String {
        post(body, headers: ["Stripe-Signature: \(WebhookSignatureTests.header(at: WebhookSignatureTests.now, body))"])
    }

    private static func chunked(_ body: String, pieces: Int) -> String {
        let signature = WebhookSignatureTests.header(at: WebhookSignatureTests.now, body)
        let head = [
            "POST \(WebhookListener.path) HTTP/1.1", "Host: shop", "Transfer-Encoding: chunked",
            "Stripe-Signature: \(signature)",
        ]
        let size = (body.utf8.count + pieces - 1) / pieces
        var rest = body[...]
        var chunks = ""
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            chunks += "\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n"
            rest = rest.dropFirst(size)
        }
        return head.joined(separator: "\r\n") + "\r\n\r\n" + chunks + "0\r\n\r\n"
    }

    @Test(arguments: [true, false])
    func aGenuineWebhookRingsOnce(isSocket: Bool) async throws {
        try await WebhookSite.with(isSocket: isSocket) { site in
            let client = try await site.connect()
            try await client.send(Self.post())
            #expect(await client.answer() == "200")
            #expect(site.rings == 1)
            #expect(site.listener.refusals.isEmpty)
        }
    }

    @Test func anAddressThatIsInUseIsRefused() async throws {
        try await WebhookSite.with { site in
            let second = WebhookListener(
                .init(secrets: try WebhookSecrets(["whsec_a"]), ring: {}),
                logger: Logger(label: "test")
            )
            let port = try #require(site.listener.port)
            let error = await #expect(throws: TillError.self) {
                try await second.listen(at: .address("127.0.0.1", port: port))
            }
            #expect(error?.code == .failedPrecondition)
        }
    }

    private static let long = String(repeating: "a", count: 20_000)

    private static let refused: [(String, String, WebhookRefusal)] = [
        (post(headers: []), "400", .noSignature),
        (post(headers: ["Stripe-Signature: t=1,v1=00"]), "400", .wrongSignature),
        (post(headers: ["Stripe-Signature: \(WebhookSignatureTests.header(["whsec_other"]))"]), "400", .wrongSignature),
        (post(headers: ["Stripe-Signature: \(WebhookSignatureTests.header(at: 1))"]), "400", .wrongTime),
        (post(headers: ["Stripe-Signature: nothing"]), "400", .malformedSignature),
        (
            post(headers: Array(repeating: "Stripe-Signature: \(WebhookSignatureTests.header())", count: 2)), "400",
            .malformedSignature
        ),
        (post(to: "/"), "404", .unknownPath), (post(to: "/stripe/webhook/"), "404", .unknownPath),
        (post(to: "http://shop/stripe/webhook"), "404", .unknownPath),
        ("GET /stripe/webhook HTTP/1.1\r\nHost: shop\r\n\r\n", "405", .wrongMethod),
        ("PUT /stripe/webhook HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\n\r\n", "405", .wrongMethod),
        ("EHLO shop\r\n", "400", .malformedRequest), ("\u{16}\u{3}\u{1}", "400", .malformedRequest),
        ("POST /stripe/webhook HTTP/1.1\r\nContent-Length: x\r\n\r\n", "400", .malformedRequest),
        ("POST /stripe/webhook HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "400", .malformedRequest),
        (post(headers: ["Content-Length: 1"]), "400", .malformedRequest),
        (post(headers: ["Transfer-Encoding: chunked"]), "400", .malformedRequest),
        (post(headers: ["X: \(long)"]), "431", .headTooLarge), (post(to: "/\(long)"), "431", .headTooLarge),
        (post(headers: Array(repeating: "X: \(long.prefix(3_000))", count: 6)), "431", .headTooLarge),
        (post(headers: Array(repeating: "X: y", count: 100)), "431", .headTooLarge),
    ]

    @Test(arguments: refused.indices)
    func aRequestIsRefusedWithoutAnEffect(index: Int) async throws {
        let (request, status, refusal) = Self.refused[index]
        try await WebhookSite.with { site in
            let client = try await site.connect()
            try await client.send(request)
            #expect(await client.answer() == status, "\(request.prefix(200))")
            #expect(site.rings == 0)
            #expect(site.listener.refusals == [refusal: 1])
        }
    }

    @Test func aBodyMayHaveExactlyItsMaximum() async throws {
        let whole = String(repeating: "a", count: WebhookExchange.bodyMaximum)
        let requests = [
            (Self.signed(whole), "200"), (Self.chunked(whole, pieces: 1), "200"),
            (Self.chunked(whole, pieces: 7), "200"),
            (Self.signed(whole + "a"), "413"), (Self.chunked(whole + "a", pieces: 1), "413"),
            (Self.chunked(whole + "a", pieces: 9), "413"), (Self.signed(whole + whole + whole), "413"),
        ]
        try await WebhookSite.with { site in
            for (request, status) in requests {
                let client = try await site.connect()
                try await client.send(request)
                #expect(await client.answer() == status)
            }
            #expect(site.rings == 3)
            #expect(site.listener.refusals == [.bodyTooLarge: 4])
        }
    }

    /// The parts of a request may arrive in any pieces.
    @Test func aRequestMayArriveByteByByte() async throws {
        // However busy the machine is.
        try await WebhookSite.with(limits: { $0.requestTime = .minutes(10) }) { site in
            let client = try await site.connect()
            for byte in Self.post().utf8 {
                try await client.send(String(decoding: [byte], as: UTF8.self))
            }
            #expect(await client.answer() == "200")
            #expect(site.rings == 1)
        }
    }

    @Test(arguments: [0, 1, 60, post().utf8.count - 1])
    func aSlowRequestIsRefused(length: Int) async throws {
        try await WebhookSite.with(limits: { $0.requestTime = .milliseconds(100) }) { site in
            let client = try await site.connect()
            try await client.send(String(decoding: Self.post().utf8.prefix(length), as: UTF8.self))
            #expect(await client.answer() == "408")
            #expect(site.rings == 0)
            #expect(site.listener.refusals == [.tooSlow: 1])
        }
    }

    @Test func aConnectionHasOneRequest() async throws {
        try await WebhookSite.with { site in
            let client = try await site.connect()
            try await client.send(Self.post() + Self.post())
            _ = await client.answer()
            #expect(site.rings == 1)
            let other = try await site.connect()
            try await other.send(Self.post(to: "/") + Self.post())
            #expect(await other.answer() == "404")
            #expect(site.rings == 1)
        }
    }

    /// Other connections wait until one ends, and are answered then.
    @Test func connectionsBeyondTheMaximumWait() async throws {
        try await WebhookSite.with(limits: { $0.connectionsMaximum = 2 }) { site in
            let idle = [try await site.connect(), try await site.connect()]
            let third = try await site.connect()
            try await third.send(Self.post())
            try await third.pause()
            #expect(third.text.isEmpty && site.rings == 0)
            await idle[0].close()
            #expect(await third.answer() == "200")
            let fourth = try await site.connect()
            try await fourth.send(Self.post())
            #expect(await fourth.answer() == "200")
            #expect(site.rings == 2)
            await idle[1].close()
        }
    }

    @Test func theEndClosesConnections() async throws {
        let client = try await WebhookSite.with { site in
            let client = try await site.connect()
            try await client.send("POST")
            return client
        }
        #expect(await client.answer() == nil)
    }

    @Test func replacedSecretsAreUsed() async throws {
        try await WebhookSite.with { site in
            site.replace(try WebhookSecrets(["whsec_new"]))
            site.time.advance(by: 10)
            var status: String?
            while status != "200" {
                let client = try await site.connect()
                let header = WebhookSignatureTests.header(["whsec_new"])
                try await client.send(Self.post(headers: ["Stripe-Signature: \(header)"]))
                status = await client.answer()
            }
            let client = try await site.connect()
            try await client.send(Self.post())
            #expect(await client.answer() == "400")
            #expect(site.rings == 1)
        }
    }

    /// Any number of refusals is one record a minute.
    @Test func refusalsAreLoggedTogether() async throws {
        try await WebhookSite.with { site in
            for path in ["/", "/", WebhookListener.path] {
                let client = try await site.connect()
                try await client.send(Self.post(to: path, headers: []))
                _ = await client.answer()
            }
            while site.log[.warning].isEmpty {
                site.time.advance(by: 10)
                try await Task.yieldUnlessCancelled()
            }
            #expect(site.log[.warning].count == 1)
            #expect(site.log[.warning].first?.contains("no signature: 1, unknown path: 2") == true, "\(site.log.all)")
            #expect(site.listener.refusals.isEmpty)
        }
    }
}
