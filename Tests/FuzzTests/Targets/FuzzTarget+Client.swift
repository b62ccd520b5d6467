import NIOCore
import NIOEmbedded

@testable import TTRPC

extension FuzzTarget {
    /// A client's connection: bytes of its server, actions of its callers, and time, in any order.
    static let client = FuzzTarget("client") { input in
        guard let play = try? ClientPlay() else { return promise(false, "the connection opens") }
        play.run(FuzzScript(input))
    }
}

/// One connection of a client on an embedded channel. The script plays its server and its callers.
private final class ClientPlay {
    private let channel = EmbeddedChannel()
    private let mailbox: LoopMailbox<ClientItem>
    private var callsMade: UInt64 = 0
    private var sent = FrameReader(lengthMaximum: Frame.lengthMaximum)

    private static let limits: TTRPCClient.Limits = {
        var limits = TTRPCClient.Limits()
        limits.frameLength = 1024
        limits.streams = 4
        return limits
    }()

    init() throws {
        mailbox = LoopMailbox(eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(ClientConnectionHandler(limits: Self.limits, mailbox: mailbox))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/fuzz")).wait()
    }

    func run(_ script: FuzzScript) {
        var script = script
        while channel.isActive, let step = script.next() {
            switch step % 6 {
            case 0, 1: _ = try? channel.writeInbound(script.piece())
            case 2: _ = try? channel.writeInbound(frame(script.next() ?? 0, script.piece()))
            case 3: start(script.next() ?? 0, script.piece())
            case 4: _ = mailbox.post(.abandon(UInt64(script.next() ?? 0)))
            default: channel.embeddedEventLoop.advanceTime(by: .milliseconds(100 * Int64(script.next() ?? 0)))
            }
            channel.embeddedEventLoop.run()
            checkRequests()
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// A frame as servers send it, for one of the first streams.
    private func frame(_ kind: UInt8, _ message: ByteBuffer) -> ByteBuffer {
        let flags: [FrameFlags] = [[], .remoteClosed, [.remoteClosed, .noData], .noData]
        var bytes = ByteBuffer()
        _ = bytes.writeFrame(
            kind % 2 == 0 ? .data : .response,
            streamID: UInt32(kind / 8 % 8) * 2 + 1,
            flags: kind % 2 == 0 ? flags[Int(kind / 2) % 4] : [],
            lengthMaximum: Self.limits.frameLength
        ) { buffer in
            if kind % 2 == 0 {
                buffer.writeImmutableBuffer(message)
            } else {
                ResponseEnvelope.success(Array(buffer: message)).write(to: &buffer)
            }
        }
        return bytes
    }

    private func start(_ kind: UInt8, _ payload: ByteBuffer) {
        let (_, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(2))
        callsMade += 1
        let call = ClientCall(
            token: callsMade,
            request: RequestEnvelope(service: "s", method: "m", payload: Array(buffer: payload)),
            deadline: channel.eventLoop.now + .milliseconds(100 * Int64(kind)),
            silenceMaximum: kind % 2 == 0 ? nil : .seconds(2),
            sink: .stream(continuation)
        )
        _ = mailbox.post(.start(call))
    }

    private func checkRequests() {
        while let bytes = try? channel.readOutbound(as: ByteBuffer.self) { sent.append(bytes) }
        while let event = sent.next() {
            guard case .frame(let frame) = event else { return promise(false, "a client sends complete frames") }
            promise(frame.header.type == .request, "a client of streams sends requests only")
            promise((try? RequestEnvelope(wire: frame.data)) != nil, "every request is valid")
        }
    }
}
