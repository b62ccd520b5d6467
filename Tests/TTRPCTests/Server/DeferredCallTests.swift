import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

/// The replies of calls that a test answers.
private final class Replies: Sendable {
    private let box = NIOLockedValueBox<[ServerReply]>([])

    var methods: MethodTable {
        var methods = MethodTable.testing
        methods["test.Echo", "Later"] = .deferred { [box] _, reply in box.withLockedValue { $0.append(reply) } }
        return methods
    }

    var count: Int { box.withLockedValue(\.count) }

    /// Answers the oldest call.
    func answer(_ make: @escaping @Sendable () throws(RPCError) -> [UInt8] = { [] }) {
        box.withLockedValue { $0.isEmpty ? nil : $0.removeFirst() }?.send(make)
    }
}

@Suite("Calls that are answered later without a task", .timeLimit(.minutes(10)))
struct DeferredCallTests {
    private let replies = Replies()

    private func harness(_ limits: TTRPCServer.Limits = .generous) throws -> ServerHarness {
        try ServerHarness(limits: limits, methods: replies.methods)
    }

    /// Answers the oldest call, and lets the connection send it.
    private func answer(_ server: ServerHarness, _ make: @escaping @Sendable () throws(RPCError) -> [UInt8] = { [] }) {
        replies.answer(make)
        server.channel.embeddedEventLoop.run()
    }

    @Test func theAnswerIsMadeAndSentOnTheEventLoop() throws {
        let server = try harness()
        try server.send(.request(1, "Later"))
        let isMade = NIOLockedValueBox(false)
        replies.answer {
            isMade.withLockedValue { $0 = true }
            return [7]
        }
        #expect(!isMade.withLockedValue { $0 })
        server.channel.embeddedEventLoop.run()
        #expect(try server.reply() == Frame(.response, 1, data: [0x12, 1, 7]))
        #expect(server.registry.usage.streams == 0)
    }

    @Test func anErrorIsAnAnswer() throws {
        let server = try harness()
        try server.send(.request(1, "Later"))
        answer(server) { () throws(RPCError) in throw RPCError(code: .notFound, message: "as asked") }
        #expect(try server.reply().error == RPCError(code: .notFound, message: "as asked"))
    }

    @Test func aCallCountsUntilItIsAnsweredEvenAfterItsDeadline() throws {
        var limits = TTRPCServer.Limits.generous
        limits.streamsPerConnection = 1
        let server = try harness(limits)
        try server.send(.request(1, "Later", timeout: 1))
        server.advance(by: .milliseconds(1))
        #expect(try server.reply().error?.code == .deadlineExceeded)
        try server.send(.request(3, "Later"))
        #expect(try server.reply().error?.code == .resourceExhausted)
        #expect(server.registry.usage.frameBytes > 0)
        answer(server)
        #expect(try server.replies().isEmpty, "the late answer is dropped")
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 1, streams: 0))
    }

    @Test func aCallIsCancelledByItsCallID() throws {
        let server = try harness()
        try server.send(.request(1, "Later", metadata: ["call-id": "a"]))
        #expect(server.cancel("a"))
        #expect(try server.reply().error?.code == .cancelled)
        answer(server)
        #expect(try server.replies().isEmpty)
    }

    @Test func shutdownWaitsForTheAnswer() throws {
        let server = try harness()
        try server.send(.request(1, "Later"))
        server.post(.shutDown(.seconds(10)))
        try server.send(.request(3, "Later"))
        #expect(try server.reply().error?.code == .unavailable)
        #expect(replies.count == 1)
        answer(server)
        #expect(try server.reply().error == nil)
        #expect(!server.isOpen)
    }

    @Test func answersWaitForAPeerThatDoesNotReadAndHoldTheirStreams() throws {
        var limits = TTRPCServer.Limits.generous
        limits.outboundBytes = 1000
        limits.streamsPerConnection = 4
        let server = try harness(limits)
        server.stopReading()
        for id in stride(from: UInt32(1), through: 7, by: 2) { try server.send(.request(id, "Later")) }
        for _ in 0..<4 { answer(server) { [UInt8](repeating: 0, count: 600) } }
        #expect(server.handler.budget.waitersCount == 2)
        #expect(server.registry.usage.streams == 2)
        for id in stride(from: UInt32(9), through: 13, by: 2) { try server.send(.request(id, "Later")) }
        #expect(replies.count == 2, "one call too many is refused")
        server.resumeReading()
        let sent = try server.replies()
        #expect(sent.filter { $0.error == nil }.map(\.header.streamID).sorted() == [1, 3, 5, 7])
        #expect(sent.filter { $0.error?.code == .resourceExhausted }.map(\.header.streamID) == [13])
    }

    @Test func anAnswerAfterTheConnectionClosedIsNotMade() throws {
        let server = try harness()
        try server.send(.request(1, "Later"))
        server.post(.close)
        #expect(!server.isOpen)
        answer(server) {
            Issue.record("Nobody reads it.")
            return []
        }
        server.registry.remove(server.connection)
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 0, streams: 0))
    }

    /// Otherwise a client that connects again and again could have any number of commands in flight.
    @Test func aClosedConnectionCountsUntilItsCallsAreAnswered() async throws {
        let methods = replies.methods
        try await withServer(connectionHandler: { _ in methods }) { server, path in
            let client = try await TTRPCClient.connect(path: path)
            async let code = failureCode { _ = try await client.unary("test.Echo", "Later", []) }
            try await until { replies.count == 1 }
            client.close()
            await client.waitUntilClosed()
            #expect(await code == .unavailable)
            // Other connections are served and end in the meantime.
            let other = try await TTRPCClient.connect(path: path)
            #expect(try await other.unary("test.Echo", "Echo", [1]) == [1])
            other.close()
            try await until { server.usage.connections == 1 }
            #expect(server.usage.streams == 1)
            replies.answer()
            try await until { server.usage == TTRPCServer.Usage(connections: 0, streams: 0) }
        }
    }

    @Test func aCancelledServerWaitsForItsCalls() async throws {
        let methods = replies.methods
        let directory = try SocketDirectory()
        let descriptor = try directory.listen()
        let server = TTRPCServer(limits: .patient, logger: .silent) { _ in methods }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run(listening: descriptor) }
            let client = try await TTRPCClient.connect(path: directory.socketPath)
            async let code = failureCode { _ = try await client.unary("test.Echo", "Later", []) }
            try await until { replies.count == 1 }
            group.cancelAll()
            #expect(await code == .unavailable)
            await client.waitUntilClosed()
            #expect(server.usage.connections == 1)
            replies.answer()
        }
        #expect(server.usage == TTRPCServer.Usage(connections: 0, streams: 0))
    }
}
