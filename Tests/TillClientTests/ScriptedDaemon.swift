import Foundation
import Logging
import TTRPC
import TillClient
import TillDaemon
import TillModel
import TillTesting
import TillWire

/// A server without an engine, which answers Hello and the calls that a test scripts.
struct ScriptedDaemon: Sendable {
    let socketPath: String

    /// Removes everything after `body`. The socket is served only within ``serving(_:_:)``.
    static func run(_ body: (ScriptedDaemon) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(ScriptedDaemon(socketPath: directory.appending(path: "s").path))
    }

    var configuration: ClientConfiguration {
        ClientConfiguration(application: "org.example.notes", socketPath: socketPath)
    }

    /// Serves the methods while `body` runs.
    @discardableResult
    func serving<Value: Sendable>(_ methods: MethodTable, _ body: () async throws -> Value) async throws -> Value {
        let socket = try await ListeningSocket.whenFree(socketPath)
        var methods = methods
        methods.answer { (_: HelloRequest) in Self.hello }
        methods.answer { (_: CancelRequest) in CancelResponse(found: false) }
        let table = methods
        let server = TTRPCServer(logger: .silent) { _ in table }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(listening: socket.descriptor) }
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            socket.remove()
            server.shutDown(grace: .zero)
            try await group.waitForAll()
            return try outcome.get()
        }
    }

    private static let hello = HelloResponse(
        server: "scripted/1",
        account: "uid:1",
        ledgerID: UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)),
        heartbeat: .seconds(45)
    )
}

extension TTRPCClient {
    func call<Request: Call>(_ request: Request) async throws -> Request.Response {
        try Request.Response(wire: try await unary(Request.path.service, Request.path.method, request.wireBytes()))
    }
}

extension MethodTable {
    /// Answers a call by a closure.
    mutating func answer<Request: Call>(
        _ body: @escaping @Sendable (Request) async throws(RPCError) -> Request.Response
    ) {
        self[Request.path.service, Request.path.method] = .unary { (_, bytes) async throws(RPCError) in
            guard let request = try? Request(wire: bytes) else {
                throw RPCError(code: .invalidArgument, message: "The request cannot be read.")
            }
            return try await body(request).wireBytes()
        }
    }

    /// Answers a call with messages, and then sends nothing until the connection ends.
    mutating func stream<Request: StreamingCall>(_ request: Request.Type, _ messages: [Request.Element]) {
        let messages = messages.map { $0.wireBytes() }
        self[Request.path.service, Request.path.method] = .serverStreaming { (_, _, writer) async throws(RPCError) in
            for message in messages {
                try await writer.write(message)
            }
            let (silence, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            for await _ in silence {}
            continuation.finish()
        }
    }
}
