import NIOCore
import NIOPosix

@testable import TTRPC

/// A connection that sends arbitrary bytes and reads only when the test does.
enum RawPeer {
    /// Connects to a socket, and closes it at the end.
    static func connect<Value>(
        _ path: String,
        _ body: (inout Exchange) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16384))
            .channelOption(.maxMessagesPerRead, value: 1)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(backPressureStrategy: .init(lowWatermark: 1, highWatermark: 1))
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var exchange = Exchange(outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&exchange)
        }
    }

    /// The two directions of the connection.
    struct Exchange {
        let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private var reader = FrameReader(lengthMaximum: Frame.lengthMaximum)

        init(
            outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
            inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        ) {
            self.outbound = outbound
            self.inbound = inbound
        }

        func send(_ bytes: ByteBuffer) async throws {
            try await outbound.write(bytes)
        }

        /// The next frame, or `nil` once the server has closed.
        mutating func receive() async throws -> Frame? {
            while true {
                if case .frame(let frame) = reader.next() { return frame }
                guard let bytes = try await inbound.next(isolation: #isolation) else { return nil }
                reader.append(bytes)
            }
        }
    }
}
