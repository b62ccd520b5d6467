import NIOCore
import NIOHTTP1
import NIOPosix
import StripeStandIn

/// An answer as it arrived.
struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: String
    /// Whether the whole body arrived.
    var isWhole = true

    /// No answer: the connection closed.
    static let lost = Answer(status: 0, headers: [:], body: "", isWhole: false)

    var json: JSON { JSON(text: body.utf8) ?? .null }
    var id: String { json["id"].string ?? "" }
    var error: JSON { json["error"] }
    var code: String { error["code"].string ?? "" }
    /// The ids of a list.
    var ids: [String] { json["data"].array.compactMap { $0["id"].string } }
    var isReplayed: Bool { header("idempotent-replayed") == "true" }

    func header(_ name: String) -> String? {
        headers.first(name: name)
    }
}

/// The connection closed before an answer arrived.
struct LostAnswer: Error {}

/// A small client of the API, with a connection for each request.
struct APIClient: Sendable {
    var port: Int
    var secret: String? = "sk_test_standin"
    var version: String? = "2025-10-29.clover"

    /// A request whose answer may never arrive.
    struct Pending: Sendable {
        var channel: any Channel
        var answer: EventLoopFuture<Answer>

        func wait() async throws -> Answer {
            try await answer.get()
        }

        /// Gives up on the answer.
        func giveUp() async throws {
            try await channel.close()
        }
    }

    func get(_ path: String) async -> Answer {
        (try? await start(.GET, path).wait()) ?? .lost
    }

    func post(_ path: String, _ fields: [String: String] = [:], key: String? = nil) async -> Answer {
        (try? await start(.POST, path, fields, key: key).wait()) ?? .lost
    }

    func startPost(_ path: String, _ fields: [String: String] = [:], key: String? = nil) async throws -> Pending {
        try await start(.POST, path, fields, key: key)
    }

    private func start(
        _ method: HTTPMethod,
        _ path: String,
        _ fields: [String: String] = [:],
        key: String? = nil
    ) async throws -> Pending {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: Answer.self)
        let bootstrap = ClientBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer))
            }
        }
        let channel: any Channel
        do {
            channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
        } catch {
            answer.fail(error)
            throw error
        }
        let pairs = fields.map { "\(FormFields.encoded($0.key))=\(FormFields.encoded($0.value))" }
        let body = pairs.joined(separator: "&")
        var headers: HTTPHeaders = ["host": "127.0.0.1:\(port)", "content-length": "\(body.utf8.count)"]
        headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        secret.map { headers.add(name: "authorization", value: "Bearer \($0)") }
        version.map { headers.add(name: "stripe-version", value: $0) }
        key.map { headers.add(name: "idempotency-key", value: $0) }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        return Pending(channel: channel, answer: answer.futureResult)
    }
}

/// Collects one answer, and closes the connection then.
private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<Answer>
    private var answer: Answer?

    init(_ promise: EventLoopPromise<Answer>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            answer = Answer(status: Int(head.status.code), headers: head.headers, body: "")
        case .body(let bytes):
            answer?.body += String(buffer: bytes)
        case .end:
            finish(isWhole: true)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(isWhole: false)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(isWhole: false)
        context.close(promise: nil)
    }

    private func finish(isWhole: Bool) {
        guard var answer else {
            return promise.fail(LostAnswer())
        }
        answer.isWhole = isWhole
        promise.succeed(answer)
    }
}

/// Waits until a condition holds.
func eventually(_ condition: () -> Bool) async {
    while !condition() {
        await Task.yield()
    }
}

/// Runs a test against a stand-in whose clock moves only when the test moves it.
func withStandIn(
    _ configure: (inout Settings) -> Void = { _ in },
    _ body: (StripeControl, APIClient) async throws -> Void
) async throws {
    let server = try await StripeStandIn(
        .init { configuration in
            configuration.settings.clockStart = 1_800_000_000
            configure(&configuration.settings)
        }
    )
    do {
        try await body(server.control, APIClient(port: server.port))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

extension APIClient {
    /// Makes a payment of 5 euros with a test method, on-session unless it is told otherwise.
    func pay(_ method: String, _ fields: [String: String] = [:], key: String? = nil) async -> Answer {
        var all = ["amount": "500", "currency": "eur", "confirm": "true", "payment_method": method]
        all.merge(fields) { _, last in last }
        return await post("/v1/payment_intents", all, key: key)
    }

    /// Makes an intent that has a method and is not confirmed.
    func prepare(_ method: String = "pm_card_visa", _ fields: [String: String] = [:]) async -> String {
        var all = ["amount": "500", "currency": "eur", "payment_method": method]
        all.merge(fields) { _, last in last }
        return await post("/v1/payment_intents", all).id
    }

    func session(_ fields: [String: String] = [:]) async -> Answer {
        var all = [
            "mode": "payment", "line_items[0][price_data][currency]": "eur",
            "line_items[0][price_data][unit_amount]": "250",
            "line_items[0][price_data][product_data][name]": "Coins & <gems>", "line_items[0][quantity]": "2",
            "success_url": "http://127.0.0.1/done?session={CHECKOUT_SESSION_ID}",
            "cancel_url": "http://127.0.0.1/cancelled",
        ]
        all.merge(fields) { _, last in last }
        return await post("/v1/checkout/sessions", all.filter { !$0.value.isEmpty })
    }
}
