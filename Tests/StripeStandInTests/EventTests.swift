import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import StripeStandIn
import Testing

/// Behaviour 9.
@Suite struct EventTests {
    private static func types(_ client: APIClient) async -> [String] {
        await client.get("/v1/events?limit=100").json["data"].array.compactMap { $0["type"].string }
    }

    private static let ofPayment = [
        "charge.succeeded", "payment_intent.succeeded", "payment_intent.created",
    ]

    @Test func changesAreReportedNewestFirst() async throws {
        try await withStandIn { control, client in
            let intent = await client.pay("pm_card_visa", key: "1")
            #expect(await Self.types(client) == Self.ofPayment)
            let some = await client.get("/v1/events?types[]=payment_intent.succeeded&types[]=x")
            let event = try #require(some.json["data"].array.first)
            #expect(event["data"]["object"]["id"].string == intent.id)
            #expect(event["request"]["idempotency_key"].string == "1")
            #expect(event["created"].int == control.now)
            #expect(await client.get("/v1/events/\(event["id"].string ?? "")").json == event)
            #expect(await client.get("/v1/events?created[gt]=\(control.now)").ids == [])
        }
    }

    @Test func eventsAreKeptForThirtyDays() async throws {
        try await withStandIn { control, client in
            _ = await client.prepare()
            control.advance(by: .seconds(30 * 86_400 - 1))
            #expect(await client.get("/v1/events").ids.count == 1)
            control.advance(by: .seconds(1))
            #expect(await client.get("/v1/events").ids == [])
        }
    }

    @Test func eventsAreDelayedDuplicatedDisorderedOrDropped() async throws {
        try await withStandIn { control, client in
            control.change { $0.events.delay = 60 }
            _ = await client.pay("pm_card_visa")
            #expect(await Self.types(client) == [])
            control.advance(by: .seconds(60))
            #expect(await Self.types(client) == Self.ofPayment)
            control.change { $0.events = Settings.Events() }
            control.change { $0.events.areDuplicated = true }
            _ = await client.prepare()
            #expect(await Self.types(client).prefix(2) == ["payment_intent.created", "payment_intent.created"])
            #expect(Set(await client.get("/v1/events").ids).count == 5)
            control.change { $0.events = Settings.Events() }
            control.change { $0.events.areDisordered = true }
            _ = await client.pay("pm_card_visa")
            #expect(await Self.types(client).prefix(3) != ArraySlice(Self.ofPayment))
            control.change { $0.events = Settings.Events() }
            control.change { $0.events.droppedTypes = ["payment_intent.succeeded"] }
            let count = await Self.types(client).count
            _ = await client.pay("pm_card_visa")
            #expect(await Self.types(client).count == count + 2)
        }
    }
}

/// Behaviour 10.
@Suite struct WebhookTests {
    @Test func webhooksAreSignedWithEachSecret() async throws {
        let receiver = try await Receiver.start()
        try await withStandIn { control, client in
            control.change { $0.webhooks = [.init(url: receiver.url, secrets: ["whsec_a", "whsec_b"])] }
            let intent = await client.prepare()
            #expect(await control.deliverWebhooks() == [200])
            let (signature, body) = try #require(receiver.received.first)
            let time = control.now
            #expect(signature.hasPrefix("t=\(time),v1="))
            #expect(signature.split(separator: ",v1=").count == 3)
            #expect(JSON(text: body.utf8)?["data"]["object"]["id"].string == intent)
            #expect(await control.deliverWebhooks() == [])
        }
        try await receiver.channel.close()
    }

    /// The value was computed by OpenSSL: `printf '1800000000.{}' | openssl dgst -sha256 -hmac whsec_a`.
    @Test func theSignatureIsHMAC() {
        #expect(
            Webhook.signature("{}", secrets: ["whsec_a"], at: 1_800_000_000)
                == "t=1800000000,v1=f66ebcd4d4dfd6f204ad83d004ebfc0312e82e8dfe7df5110714cbc58099a9c8"
        )
    }

    @Test func aRefusedWebhookIsRetriedForThreeDays() async throws {
        let receiver = try await Receiver.start()
        receiver.status.withLockedValue { $0 = 500 }
        try await withStandIn { control, client in
            control.change { $0.webhooks = [.init(url: receiver.url, secrets: ["whsec_a"])] }
            _ = await client.prepare()
            #expect(await control.deliverWebhooks() == [500])
            #expect(await control.deliverWebhooks() == [])
            control.advance(by: .seconds(300))
            receiver.status.withLockedValue { $0 = 200 }
            #expect(await control.deliverWebhooks() == [200])
            receiver.status.withLockedValue { $0 = 500 }
            _ = await client.prepare()
            var attempts = 0
            for _ in 0..<100 {
                attempts += await control.deliverWebhooks().count
                control.advance(by: .seconds(3_600))
            }
            #expect(attempts == 10)
        }
        try await receiver.channel.close()
    }

    @Test func webhooksAreSentToASocket() async throws {
        let path = "/tmp/till-webhook-\(UInt32.random(in: 0 ... .max))"
        try await withStandIn { control, client in
            control.change { $0.webhooks = [.init(url: "unix:\(path)", secrets: ["whsec_a"])] }
            _ = await client.prepare()
            #expect(await control.deliverWebhooks() == [nil])
            let receiver = try await Receiver.start(path)
            control.advance(by: .seconds(300))
            #expect(await control.deliverWebhooks() == [200])
            #expect(receiver.received.count == 1)
            try await receiver.channel.close()
        }
    }

    @Test func aDuplicatedEventIsSentTwice() async throws {
        let receiver = try await Receiver.start()
        try await withStandIn { control, client in
            control.change { $0.webhooks = [.init(url: receiver.url, secrets: ["whsec_a"])] }
            control.change { $0.events.areDuplicated = true }
            _ = await client.prepare()
            #expect(await control.deliverWebhooks() == [200, 200, 200, 200])
        }
        try await receiver.channel.close()
    }
}

/// A receiver of webhooks.
private struct Receiver: Sendable {
    var channel: any Channel
    var status = NIOLockedValueBox(200)
    var log = NIOLockedValueBox<[(String, String)]>([])

    var received: [(String, String)] { log.withLockedValue { $0 } }
    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/hook" }

    static func start(_ socket: String? = nil) async throws -> Receiver {
        let status = NIOLockedValueBox(200)
        let log = NIOLockedValueBox<[(String, String)]>([])
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.configureHTTPServerPipeline()
                    try child.pipeline.syncOperations.addHandler(ReceivingHandler(status, log))
                }
            }
        let channel =
            if let socket {
                try await bootstrap.bind(unixDomainSocketPath: socket, cleanupExistingSocketFile: true).get()
            } else {
                try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
            }
        return Receiver(channel: channel, status: status, log: log)
    }
}

private final class ReceivingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let status: NIOLockedValueBox<Int>
    private let log: NIOLockedValueBox<[(String, String)]>
    private var signature = ""
    private var body = ""

    init(_ status: NIOLockedValueBox<Int>, _ log: NIOLockedValueBox<[(String, String)]>) {
        self.status = status
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): signature = head.headers.first(name: "stripe-signature") ?? ""
        case .body(let bytes): body += String(buffer: bytes)
        case .end:
            log.withLockedValue { $0.append((signature, body)) }
            let code = HTTPResponseStatus(statusCode: status.withLockedValue { $0 })
            let head = HTTPResponseHead(version: .http1_1, status: code, headers: ["content-length": "0"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
