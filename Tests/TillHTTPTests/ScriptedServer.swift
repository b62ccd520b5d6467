import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server on loopback that answers each request with bytes that a test gives it, and takes down what was asked.
final class ScriptedServer: Sendable {
    /// What is sent for one request.
    struct Answer: Sendable {
        var text: String
        /// Bytes that follow the text.
        var zeros = 0
        /// Whether the connection is closed afterwards, or kept open without another byte.
        var closes = false
    }

    private let channel: any Channel
    private let log: Log

    /// The heads of the requests, in order.
    var requests: [String] { log.requests.withLockedValue { $0 } }
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
        let requests = NIOLockedValueBox<[String]>([])
        let connections = NIOLockedValueBox(0)
        private let answers: [Answer]

        init(_ answers: [Answer]) {
            self.answers = answers
        }

        func answer(to request: String) -> Answer? {
            let index = requests.withLockedValue { requests in
                requests.append(request)
                return requests.count - 1
            }
            return answers.indices.contains(index) ? answers[index] : answers.last
        }
    }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: ScriptedServer.Log
    private var received = ""

    init(_ log: ScriptedServer.Log) {
        self.log = log
    }

    func channelActive(context: ChannelHandlerContext) {
        log.connections.withLockedValue { $0 += 1 }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        guard received.hasSuffix("\r\n\r\n"), let answer = log.answer(to: received) else {
            return
        }
        received = ""
        context.write(wrapOutboundOut(ByteBuffer(string: answer.text)), promise: nil)
        let zeros = ByteBuffer(repeating: 0, count: answer.zeros)
        let written = context.writeAndFlush(wrapOutboundOut(zeros))
        if answer.closes {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            written.whenComplete { _ in bound.value.close(promise: nil) }
        }
    }
}
