import Logging
import NIOCore
import Testing

@testable import TTRPC

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
