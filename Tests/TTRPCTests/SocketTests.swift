import Foundation
import Testing

@testable import TTRPC

@Suite("Client and server over a Unix socket", .timeLimit(.minutes(10)))
struct SocketTests {
    @Test func aUnaryCallIsAnswered() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            #expect(try await client.unary("test.Echo", "Echo", [1, 2, 3]) == [1, 2, 3])
            #expect(try await client.unary("test.Echo", "Echo", []) == [])
        }
    }

    @Test func aHandlersErrorReachesTheCaller() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            await #expect(throws: RPCError(code: .failedPrecondition, message: "as asked")) {
                try await client.unary("test.Echo", "Fail", [])
            }
        }
    }

    @Test func manyCallsInFlightAreEachAnsweredWithTheirOwn() async throws {
        try await withServer { server, path in
            let client = try await TTRPCClient.connect(path: path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in UInt8(0)..<64 {
                    group.addTask {
                        for number in UInt8(0)..<50 {
                            let answer = try await client.unary("test.Echo", "Echo", [lane, number])
                            #expect(answer == [lane, number])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aStreamDeliversItsMessagesInOrderAndEnds() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            var received: [[UInt8]] = []
            for try await message in client.serverStreaming("test.Count", "Count", [100]) { received.append(message) }
            #expect(received == (0..<100).map { [$0] })
        }
    }

    @Test func aStreamThatFailsDeliversWhatCameBefore() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            var messages = client.serverStreaming("test.Count", "CountThenFail", []).makeAsyncIterator()
            #expect(try await messages.next() == [1])
            await #expect(throws: RPCError(code: .dataLoss, message: "as asked")) { try await messages.next() }
        }
    }
}
