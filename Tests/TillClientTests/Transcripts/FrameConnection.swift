import NIOCore
import NIOPosix

@testable import TTRPC

/// A connection that sends and receives frames as they are.
struct FrameConnection: Sendable {
    fileprivate let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    private typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Runs `body` with a connection to a server.
    static func connecting<Value>(to path: String, _ body: (FrameConnection) async throws -> Value) async throws
        -> Value
    {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture { try Channel(wrappingChannelSynchronously: channel) }
            }
        return try await using(channel, body)
    }

    /// Runs `serve` with the first connection of a client, while `client` runs.
    static func accepting<Value: Sendable>(
        at path: String,
        _ serve: @escaping @Sendable (FrameConnection) async throws -> Void,
        while client: () async throws -> Value
    ) async throws -> Value {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture { try Channel(wrappingChannelSynchronously: channel) }
            }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.executeThenClose { clients in
                    for try await client in clients {
                        return try await using(client, serve)
                    }
                }
            }
            let value = try await client()
            group.cancelAll()
            return value
        }
    }

    private static func using<Value>(
        _ channel: Channel,
        _ body: (FrameConnection) async throws -> Value
    ) async throws -> Value {
        try await channel.executeThenClose { inbound, outbound in
            try await body(FrameConnection(inbound: inbound, outbound: outbound))
        }
    }

    func send(_ frame: Frame) async throws {
        var bytes = ByteBuffer()
        bytes.writeFrameHeader(frame.header)
        bytes.writeImmutableBuffer(frame.data)
        try await outbound.write(bytes)
    }

    /// The frames that arrive. Only one caller may ask for them.
    var frames: Frames {
        Frames(inbound: inbound.makeAsyncIterator())
    }

    struct Frames {
        fileprivate var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private var reader = FrameReader(lengthMaximum: Frame.lengthMaximum)
        /// Frames of streams that nobody has asked for yet.
        private(set) var unread: [Frame] = []

        fileprivate init(inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
            self.inbound = inbound
        }

        /// The next frame; nil at the end of the connection.
        mutating func next() async throws -> Frame? {
            while true {
                if case .frame(let frame)? = reader.next() {
                    return frame
                }
                guard let bytes = try await inbound.next(isolation: #isolation) else {
                    return nil
                }
                reader.append(bytes)
            }
        }

        /// The next frame of the stream: frames of several streams may come in any order.
        mutating func next(onStream stream: UInt32) async throws -> Frame? {
            if let index = unread.firstIndex(where: { $0.header.streamID == stream }) {
                return unread.remove(at: index)
            }
            while let frame = try await next() {
                guard frame.header.streamID != stream else {
                    return frame
                }
                unread.append(frame)
            }
            return nil
        }
    }
}
