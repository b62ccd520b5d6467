import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import StripeStandIn
import TillDaemon
import TillHTTP
import TillModel
import TillTesting

@testable import TillStripe

/// A listener whose clock stands at the time at which ``WebhookSignatureTests`` signs.
struct WebhookSite: Sendable {
    private struct State {
        var rings = 0
        var replacement: WebhookSecrets?
    }

    let listener: WebhookListener
    let time: VirtualTime
    let log: StripeSite.Log.Records
    /// The path of the Unix socket; nil for an address.
    private let path: String?
    private let state: NIOLockedValueBox<State>

    static func with<Value: Sendable>(
        isSocket: Bool = false,
        limits: (inout WebhookListener.Limits) -> Void = { _ in },
        _ body: (WebhookSite) async throws -> Value
    ) async throws -> Value {
        let site = try WebhookSite(isSocket: isSocket, limits: limits)
        var socket: ListeningSocket?
        if let path = site.path {
            socket = try await .whenFree(path)
        }
        try await site.listener.listen(at: socket.map { .descriptor($0.descriptor) } ?? .address("127.0.0.1", port: 0))
        defer { socket?.remove() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await site.listener.run() }
            // Its first round logs what was refused before, which would not be counted any more.
            while site.time.sleeperCount == 0 {
                try await Task.yieldUnlessCancelled()
            }
            let value = try await body(site)
            group.cancelAll()
            try await group.waitForAll()
            return value
        }
    }

    private init(isSocket: Bool, limits: (inout WebhookListener.Limits) -> Void) throws {
        let state = NIOLockedValueBox(State())
        var configuration = WebhookListener.Configuration(
            secrets: try WebhookSecrets(WebhookSignatureTests.secrets),
            changedSecrets: {
                state.withLockedValue { state in
                    defer { state.replacement = nil }
                    return state.replacement
                }
            },
            ring: { state.withLockedValue { $0.rings += 1 } }
        )
        limits(&configuration.limits)
        let log = StripeSite.Log.Records()
        self.state = state
        self.log = log
        time = VirtualTime()
        path = isSocket ? "/tmp/till-webhooks-\(UUID().uuidString)/listener.sock" : nil
        listener = WebhookListener(
            configuration,
            logger: Logger(label: "test") { _ in StripeSite.Log(records: log) },
            time: time
        )
    }

    var rings: Int {
        state.withLockedValue { $0.rings }
    }

    /// Replaces the file of the secrets.
    func replace(_ secrets: WebhookSecrets) {
        state.withLockedValue { $0.replacement = secrets }
    }

    func connect() async throws -> RawClient {
        try await RawClient(path: path, port: listener.port ?? 0)
    }
}

/// A connection that sends given text, and keeps what it receives.
final class RawClient: Sendable {
    private final class Received: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let text: NIOLockedValueBox<String>

        init(_ text: NIOLockedValueBox<String>) {
            self.text = text
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let more = String(buffer: unwrapInboundIn(data))
            text.withLockedValue { $0 += more }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    private let received = NIOLockedValueBox("")
    private let channel: any Channel

    init(path: String?, port: Int) async throws {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { [received] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Received(received))
                }
            }
        channel =
            if let path {
                try await bootstrap.connect(unixDomainSocketPath: path).get()
            } else {
                try await bootstrap.connect(host: "127.0.0.1", port: port).get()
            }
    }

    var text: String {
        received.withLockedValue(\.self)
    }

    /// A peer that has answered already may have closed the connection.
    func send(_ text: String) async throws {
        do {
            try await channel.writeAndFlush(ByteBuffer(string: text))
        } catch is ChannelError {} catch is IOError {}
    }

    /// Waits until the connection is closed, and returns the status of the answer; nil if there was none.
    func answer() async -> String? {
        try? await channel.closeFuture.get()
        return text.firstMatch(of: #/^HTTP/1\.1 (\d+)\b/#).map { String($0.output.1) }
    }

    func close() async {
        try? await channel.close()
    }

    /// Lets the listener have some time to do what it must not do.
    func pause() async throws {
        try await channel.eventLoop.scheduleTask(in: .milliseconds(200)) {}.futureResult.get()
    }
}
