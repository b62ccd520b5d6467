import NIOCore
import NIOPosix
package import ProcessTesting
import TTRPC
import TillModel
import TillWire

/// A hostile or broken peer, by its behaviour.
package enum HostilePeer: String, CaseIterable, Sendable {
    case garbage
    case halfHeader
    case halfFrame
    case hugeFrame
    case silentCrowd
    case unreadStreams

    private static let crowd = 40
    private static let streams = 32

    /// Attacks the daemon, stays connected for `duration`, and disconnects. The daemon may close the connection
    /// earlier.
    package func visit<Random: RandomNumberGenerator>(_ site: Site, for duration: Duration, _ random: inout Random)
        async
    {
        if self == .unreadStreams {
            return await leaveUnread(site, duration)
        }
        let count = self == .silentCrowd ? Self.crowd : 1
        var channels: [any Channel] = []
        for _ in 0..<count {
            if let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: site.socket).get()
            {
                channels.append(channel)
            }
        }
        let bytes = bytes(&random)
        for channel in channels where !bytes.isEmpty {
            try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
        }
        await Alarm.after(duration)
        for channel in channels {
            try? await channel.close()
        }
    }

    private func bytes<Random: RandomNumberGenerator>(_ random: inout Random) -> [UInt8] {
        switch self {
        case .garbage:
            (0..<Int.random(in: 1...4096, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        case .halfHeader: [0, 0, 1]
        // This is a request on stream 1 whose frame is shorter than its header says.
        case .halfFrame: [0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 10, 200]
        case .hugeFrame: [0, 0x3F, 0xFF, 0xFF, 0, 0, 0, 1, 1, 0]
        case .silentCrowd, .unreadStreams: []
        }
    }

    /// Opens many observations of a queue, and reads none of them.
    private func leaveUnread(_ site: Site, _ duration: Duration) async {
        guard let client = try? await TTRPCClient.connect(path: site.socket) else {
            return
        }
        let hello = HelloRequest(
            protocolMinimum: WireProtocol.version,
            protocolMaximum: WireProtocol.version,
            application: "org.example.alpha",
            capabilities: [],
            client: "till-faults"
        )
        let method = PaymentQueueMethod.hello.rawValue
        _ = try? await client.unary(PaymentQueueMethod.service, method, hello.wireBytes())
        let streams = (0..<UInt32(Self.streams)).map { number in
            client.serverStreaming(
                PaymentQueueMethod.service,
                PaymentQueueMethod.observe.rawValue,
                ObserveRequest(observerID: number + 1, after: nil).wireBytes()
            )
        }
        await Alarm.after(duration)
        withExtendedLifetime(streams) { client.close() }
    }
}
