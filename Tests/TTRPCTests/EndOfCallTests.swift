import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import TTRPC

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("How calls and connections end, over a Unix socket", .timeLimit(.minutes(10)))
struct EndOfCallTests {
    @Test func aCallWithoutAnAnswerEndsAtItsDeadline() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            let code = await failureCode {
                _ = try await client.unary("test.Echo", "WaitForCancel", [], timeout: .milliseconds(20))
            }
            #expect(code == .deadlineExceeded)
            #expect(try await client.unary("test.Echo", "Echo", [1]) == [1])
            client.close()
        }
    }

    @Test func aStreamEndsAtItsDeadline() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            // Long enough for the message to arrive before, even on a busy machine.
            let messages = client.serverStreaming("test.Count", "Wait", [], timeout: .seconds(5))
            var received: [[UInt8]] = []
            let code = await failureCode {
                for try await message in messages { received.append(message) }
            }
            #expect(code == .deadlineExceeded)
            #expect(received == [[0]])
        }
    }

    @Test func aCancelledTaskStopsWaiting() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            let code = await withTaskGroup { group in
                group.addTask { await failureCode { _ = try await client.unary("test.Echo", "WaitForCancel", []) } }
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(code == .cancelled)
            client.close()
        }
    }

    @Test func aCancelledReaderThrowsInsteadOfSeeingTheEndOfTheStream() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            let hasBegun = Signal()
            let code = await withTaskGroup { group in
                group.addTask {
                    await failureCode {
                        for try await _ in client.serverStreaming("test.Count", "Wait", []) { hasBegun.send() }
                    }
                }
                await hasBegun.wait()
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(code == .cancelled)
        }
    }

    @Test func aCallOfTheSameConnectionCancelsAStreamByItsCallID() async throws {
        try await withServer { server, path in
            let client = try await TTRPCClient.connect(path: path)
            var messages = client.serverStreaming("test.Count", "Wait", [], metadata: ["call-id": "mine"])
                .makeAsyncIterator()
            #expect(try await messages.next() == [0])
            #expect(try await client.unary("test.Echo", "Cancel", Array("other".utf8)) == [0])
            let other = try await TTRPCClient.connect(path: path)
            #expect(
                try await other.unary("test.Echo", "Cancel", Array("mine".utf8)) == [0],
                "not from another connection"
            )
            #expect(try await client.unary("test.Echo", "Cancel", Array("mine".utf8)) == [1])
            let code = await failureCode { _ = try await messages.next() }
            #expect(code == .cancelled)
            try await until { server.usage.streams == 0 }
        }
    }

    @Test func aStreamHasBegunBeforeALaterCallOfItsConnectionRuns() async throws {
        let begun = NIOLockedValueBox(0)
        let handler: TTRPCServer.ConnectionHandler = { _ in
            var methods = MethodTable()
            methods["test.Count", "Wait"] = .serverStreaming { (_, _, _) throws(RPCError) in
                begun.withLockedValue { $0 += 1 }
                await forever()
            }
            methods["test.Count", "Begun"] = .unary { _, _ in [UInt8(begun.withLockedValue { $0 })] }
            return methods
        }
        try await withServer(connectionHandler: handler) { _, path in
            try await RawPeer.connect(path) { peer in
                for number in UInt32(0)..<50 {
                    var both = Frame.request(4 * number + 1, "Wait", service: "test.Count", flags: .remoteClosed).wire
                    both.writeImmutableBuffer(Frame.request(4 * number + 3, "Begun", service: "test.Count").wire)
                    try await peer.send(both)
                    let answer = Frame(.response, 4 * number + 3, data: [0x12, 1, UInt8(number) + 1])
                    #expect(try await peer.receive() == answer)
                }
            }
        }
    }

    @Test func aClosedConnectionCancelsItsHandlers() async throws {
        try await withServer { server, path in
            let client = try await TTRPCClient.connect(path: path)
            async let unary = failureCode { _ = try await client.unary("test.Echo", "WaitForCancel", []) }
            var messages = client.serverStreaming("test.Count", "Wait", []).makeAsyncIterator()
            #expect(try await messages.next() == [0])
            try await until { server.usage.streams >= 2 }
            client.close()
            #expect(await unary == .unavailable)
            let code = await failureCode { _ = try await messages.next() }
            #expect(code == .unavailable)
            try await until { server.usage == TTRPCServer.Usage(connections: 0, streams: 0) }
        }
    }

    @Test func aServerThatDiesEndsAllCallsAndCloseWaiters() async throws {
        let directory = try SocketDirectory()
        let descriptor = try directory.listen()
        let server = TTRPCServer(limits: .patient, logger: .silent) { _ in .testing }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run(listening: descriptor) }
            let client = try await TTRPCClient.connect(path: directory.socketPath)
            async let unary = failureCode { _ = try await client.unary("test.Echo", "WaitForCancel", []) }
            async let closed: Void = client.waitUntilClosed()
            try await until { server.usage.streams >= 1 }
            group.cancelAll()
            #expect(await unary == .unavailable)
            await closed
            let code = await failureCode { _ = try await client.unary("test.Echo", "Echo", []) }
            #expect(code == .unavailable)
            await client.waitUntilClosed()
        }
        #expect(server.usage == TTRPCServer.Usage(connections: 0, streams: 0))
    }

    @Test func waitingForTheEndOfAConnectionCanBeCancelled() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            await withTaskGroup { group in
                group.addTask { await client.waitUntilClosed() }
                group.cancelAll()
            }
            #expect(try await client.unary("test.Echo", "Echo", [1]) == [1])
        }
    }

    @Test func aPathWithoutAServerIsUnavailable() async throws {
        let directory = try SocketDirectory()
        let code = await failureCode { _ = try await TTRPCClient.connect(path: directory.socketPath) }
        #expect(code == .unavailable)
    }

    @Test func shutdownLetsACallInFlightFinish() async throws {
        let (hasBegun, mayEnd) = (Signal(), Signal())
        var methods = MethodTable()
        methods["test.Slow", "Slow"] = .unary { _, request in
            hasBegun.send()
            await mayEnd.wait()
            return request
        }
        methods["test.Echo", "Echo"] = .unary { _, request in request }
        let table = methods
        let directory = try SocketDirectory()
        let descriptor = try directory.listen()
        let server = TTRPCServer(limits: .patient, logger: .silent) { _ in table }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run(listening: descriptor) }
            let client = try await TTRPCClient.connect(path: directory.socketPath)
            async let answer = client.unary("test.Slow", "Slow", [7])
            await hasBegun.wait()
            // Long enough for a busy machine.
            server.shutDown(grace: .seconds(600))
            // The connections learn of the shutdown one after another; a call that arrives before is answered.
            var late: RPCStatusCode?
            while late == nil {
                late = await failureCode { _ = try await client.unary("test.Echo", "Echo", []) }
            }
            #expect(late == .unavailable)
            mayEnd.send()
            #expect(try await answer == [7])
            try await group.waitForAll()
        }
    }

    @Test func aServerThatShutsDownBeforeItRunsReturns() async throws {
        let directory = try SocketDirectory()
        let descriptor = try directory.listen()
        let server = TTRPCServer(limits: .patient, logger: .silent) { _ in .testing }
        server.shutDown()
        try await server.run(listening: descriptor)
        let code = await failureCode { _ = try await TTRPCClient.connect(path: directory.socketPath) }
        #expect(code == .unavailable)
    }

    @Test func aPeersIdentityIsReadFromTheKernel() async throws {
        let handler: TTRPCServer.ConnectionHandler = { peer in
            var methods = MethodTable()
            methods["test.Who", "Am I"] = .unary { call, _ in
                Array("\(call.peer.uid) \(call.peer.gid) \(call.peer.pid)".utf8) + (call.peer == peer ? [] : [0])
            }
            return methods
        }
        try await withServer(connectionHandler: handler) { _, path in
            let client = try await TTRPCClient.connect(path: path)
            let answer = try await client.unary("test.Who", "Am I", [])
            #expect(String(decoding: answer, as: UTF8.self) == "\(getuid()) \(getgid()) \(getpid())")
        }
    }

    @Test func aBrokenFrameIsAnsweredBeforeTheConnectionCloses() async throws {
        try await withServer { _, path in
            try await RawPeer.connect(path) { peer in
                try await peer.send(ByteBuffer(bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8)))
                #expect(try await peer.receive()?.error?.code == .resourceExhausted)
                #expect(try await peer.receive() == nil)
            }
        }
    }

    @Test func anOversizedFrameIsAnsweredAndSoIsTheNextFrame() async throws {
        try await withServer { _, path in
            try await RawPeer.connect(path) { peer in
                try await peer.send(header(4 << 20, 1))
                for _ in 0..<64 { try await peer.send(ByteBuffer(repeating: 0xFF, count: 1 << 16)) }
                try await peer.send(Frame.request(3, payload: [5]).wire)
                #expect(try await peer.receive()?.error?.code == .resourceExhausted)
                #expect(try await peer.receive() == Frame(.response, 3, data: [0x12, 1, 5]))
            }
        }
    }

    @Test func requestsAndAnswersLongerThanAFrameFailOnlyTheirCalls() async throws {
        try await withServer { _, path in
            let client = try await TTRPCClient.connect(path: path)
            let request = await failureCode {
                _ = try await client.unary("test.Echo", "Echo", [UInt8](repeating: 0, count: 1 << 20))
            }
            #expect(request == .resourceExhausted)
            let answer = await failureCode {
                _ = try await client.unary("test.Echo", "Large", [UInt8](repeating: 0, count: 1024))
            }
            #expect(answer == .internalError, "the call was executed")
            let most = try await client.unary("test.Echo", "Large", [UInt8](repeating: 0, count: 255))
            #expect(most.count == 255 << 10)
        }
    }

    @Test func aConnectionOverTheLimitIsClosedAtOnce() async throws {
        var limits = TTRPCServer.Limits.patient
        limits.connectionsPerUser = 1
        try await withServer(limits: limits) { _, path in
            let client = try await TTRPCClient.connect(path: path)
            #expect(try await client.unary("test.Echo", "Echo", [1]) == [1])
            let second = try await TTRPCClient.connect(path: path)
            await second.waitUntilClosed()
            #expect(try await client.unary("test.Echo", "Echo", [2]) == [2])
        }
    }

    @Test func aStreamThatIsNotReadSuspendsItsHandler() async throws {
        try await withServer { server, path in
            try await RawPeer.connect(path) { peer in
                let flood = Frame.request(1, "Flood", service: "test.Count", flags: .remoteClosed)
                try await peer.send(flood.wire)
                #expect(try await peer.receive()?.header.length == 65536)
            }
            try await until { server.usage == TTRPCServer.Usage(connections: 0, streams: 0) }
        }
    }

    @Test func answersBeyondTheBudgetArriveOnceTheyAreRead() async throws {
        try await withServer { server, path in
            try await RawPeer.connect(path) { peer in
                var requests = ByteBuffer()
                for number in UInt32(0)..<64 {
                    let request = Frame.request(number * 2 + 1, "Large", payload: [UInt8](repeating: 0, count: 200))
                    requests.writeImmutableBuffer(request.wire)
                }
                try await peer.send(requests)
                // Now some calls wait for the budget, and some requests have not been read.
                try await until { server.usage.streams > 0 }
                var answered: Set<UInt32> = []
                while answered.count < 64, let frame = try await peer.receive() {
                    #expect(frame.header.length == 204_804)
                    answered.insert(frame.header.streamID)
                }
                #expect(answered.count == 64)
            }
        }
    }

    @Test func twoThousandConnectionsLeaveNothingBehind() async throws {
        try await withServer { server, path in
            for _ in 0..<50 {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<40 {
                        group.addTask {
                            let client = try await TTRPCClient.connect(path: path)
                            #expect(try await client.unary("test.Echo", "Echo", [1]) == [1])
                            client.close()
                            await client.waitUntilClosed()
                        }
                    }
                    try await group.waitForAll()
                }
                try await until { server.usage.connections == 0 }
            }
            #expect(server.usage == TTRPCServer.Usage(connections: 0, streams: 0))
        }
    }
}
