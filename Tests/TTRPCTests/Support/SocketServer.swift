import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
@testable import TTRPC

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs a server in a temporary directory around `body`, and shuts it down gracefully.
func withServer(
    limits: TTRPCServer.Limits = .patient,
    connectionHandler: @escaping TTRPCServer.ConnectionHandler = { _ in .testing },
    _ body: @Sendable (TTRPCServer, String) async throws -> Void
) async throws {
    let directory = try SocketDirectory()
    let descriptor = try directory.listen()
    let server = TTRPCServer(
        limits: limits,
        logger: .silent,
        connectionHandler: connectionHandler
    )
    try await withThrowingTaskGroup { group in
        group.addTask { try await server.run(listening: descriptor) }
        try await body(server, directory.socketPath)
        server.shutDown()
        try await group.waitForAll()
    }
}

extension TTRPCServer.Limits {
    /// The default limits without the request rate, which tests exceed immediately.
    static var generous: Self {
        var limits = Self()
        limits.requestRate = nil
        return limits
    }

    /// Limits for tests on the real clock: no timeout fires because the machine is busy.
    static var patient: Self {
        var limits = generous
        limits.firstFrame = .hours(1)
        limits.frameCompletion = .hours(1)
        limits.outboundStall = .hours(1)
        limits.unaryTimeout = .hours(1)
        return limits
    }
}

/// A temporary directory with a listening socket in it, deleted with the last reference.
final class SocketDirectory: Sendable {
    let url: URL
    var socketPath: String { url.appending(path: "s").path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "ttrpc-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A socket that is bound to `socketPath` and listens.
    func listen() throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socketPath.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        try #require(Glibc.listen(descriptor, 512) == 0)
        return descriptor
    }
}

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

/// The code of the error with which `body` fails; nil when it returns.
func failureCode(_ body: () async throws -> Void) async -> RPCStatusCode? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? RPCError)?.code
    }
}
