import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

/// A client connection on an embedded channel with a virtual clock; the test plays the server.
final class ClientHarness {
    let channel = EmbeddedChannel()
    let mailbox: LoopMailbox<ClientItem>
    private var tokensMade: UInt64 = 0

    init(limits: TTRPCClient.Limits = TTRPCClient.Limits()) throws {
        mailbox = LoopMailbox(eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(ClientConnectionHandler(limits: limits, mailbox: mailbox))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    }

    deinit {
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    var isOpen: Bool { channel.isActive }

    /// Starts a streaming call; returns its token and the stream that its reader sees.
    func start(
        payload: [UInt8] = [],
        timeout: TimeAmount = .hours(1),
        silenceMaximum: TimeAmount? = nil,
        messages: Int = 8
    ) -> (token: UInt64, messages: AsyncThrowingStream<[UInt8], any Error>) {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(messages)
        )
        tokensMade += 1
        let call = ClientCall(
            token: tokensMade,
            request: RequestEnvelope(service: "s", method: "m", payload: payload),
            deadline: channel.eventLoop.now + timeout,
            silenceMaximum: silenceMaximum,
            sink: .stream(continuation)
        )
        post(.start(call))
        return (tokensMade, stream)
    }

    func post(_ item: ClientItem) {
        _ = mailbox.post(item)
        channel.embeddedEventLoop.run()
    }

    func receive(_ bytes: ByteBuffer) throws {
        try channel.writeInbound(bytes)
        channel.embeddedEventLoop.run()
    }

    func advance(by time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    /// The frames that the client sent since the last look.
    func sent() throws -> [Frame] {
        var bytes = ByteBuffer()
        while var next = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&next) }
        return FrameReader.frames(in: bytes)
    }
}

extension AsyncThrowingStream<[UInt8], any Error> {
    /// All messages, and the error code at their end; `nil` for success.
    func collect() async -> (messages: [[UInt8]], code: RPCStatusCode?) {
        var messages: [[UInt8]] = []
        do {
            for try await message in self { messages.append(message) }
            return (messages, nil)
        } catch {
            return (messages, (error as? RPCError)?.code)
        }
    }
}
