import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A server on loopback that answers each request with bytes that a test gives it, and takes down what was asked.
final class ScriptedServer: Sendable {
    /// What is sent for one request.
    struct Answer: Sendable {
        var text: String
        /// Bytes that follow the text.
        var zeros = 0
        /// Whether the connection is closed afterwards, or kept open without another byte.
        var closes = false
        /// Whether it is closed with a reset instead.
        var resets = false
    }

    private let channel: any Channel
    private let log: Log

    /// The heads of the requests, in order.
    var requests: [String] { log.requests.withLockedValue { $0.map(\.head) } }
    /// The bodies of the requests, in order.
    var bodies: [[UInt8]] { log.requests.withLockedValue { $0.map(\.body) } }
    var connections: Int { log.connections.withLockedValue { $0 } }

    func url(_ path: String = "/") -> String {
        "http://127.0.0.1:\(channel.localAddress?.port ?? 0)\(path)"
    }

    /// - Parameter answers: One for each request; the last one for all that follow.
    static func run(_ answers: [Answer], _ body: (ScriptedServer) async throws -> Void) async throws {
        let log = Log(answers)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ScriptHandler(log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = ScriptedServer(channel, log)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(server))
        } catch {
            outcome = .failure(error)
        }
        try await channel.close()
        try outcome.get()
    }

    private init(_ channel: any Channel, _ log: Log) {
        self.channel = channel
        self.log = log
    }

    fileprivate final class Log: Sendable {
        let requests = NIOLockedValueBox<[ReceivedRequest]>([])
        let connections = NIOLockedValueBox(0)
        private let answers: [Answer]

        init(_ answers: [Answer]) {
            self.answers = answers
        }

        func answer(to request: ReceivedRequest) -> Answer? {
            let index = requests.withLockedValue { requests in
                requests.append(request)
                return requests.count - 1
            }
            return answers.indices.contains(index) ? answers[index] : answers.last
        }
    }
}

/// A request that has arrived completely.
private struct ReceivedRequest: Sendable {
    var head: String
    var body: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: "\r\n\r\n".utf8)?.upperBound else {
            return nil
        }
        head = String(decoding: bytes[..<end], as: UTF8.self)
        body = Array(bytes[end...])
        let length = head.firstMatch(of: /\r\nContent-Length: (\d+)\r\n/).flatMap { Int($0.output.1) } ?? 0
        guard body.count == length else {
            return nil
        }
    }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: ScriptedServer.Log
    private var received: [UInt8] = []

    init(_ log: ScriptedServer.Log) {
        self.log = log
    }

    func channelActive(context: ChannelHandlerContext) {
        log.connections.withLockedValue { $0 += 1 }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        guard let request = ReceivedRequest(received), let answer = log.answer(to: request) else {
            return
        }
        received = []
        if answer.resets {
            // Closing a socket that lingers for no time resets its connection (socket(7)).
            _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        context.write(wrapOutboundOut(ByteBuffer(string: answer.text)), promise: nil)
        let zeros = ByteBuffer(repeating: 0, count: answer.zeros)
        let written = context.writeAndFlush(wrapOutboundOut(zeros))
        if answer.closes || answer.resets {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            written.whenComplete { _ in bound.value.close(promise: nil) }
        }
    }
}
