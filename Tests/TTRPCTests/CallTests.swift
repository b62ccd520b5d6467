import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing
@testable import TTRPC

@Suite("A call whose handler is running", .timeLimit(.minutes(10)))
struct AcceptedCallTests {
    /// If the error code said that nothing happened, the caller would give up a product that it paid for.
    @Test func aDroppedAnswerIsNotReportedAsNotExecuted() async throws {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let budget = OutboundBudget(bytesMaximum: 1000, total: total)
        budget.add(100)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let mailbox = LoopMailbox<ServerItem>(eventLoop: loop)
        let (items, continuation) = AsyncStream.makeStream(of: ServerItem.self, bufferingPolicy: .unbounded)
        try await loop.submit { mailbox.open { items in items.forEach { continuation.yield($0) } } }.get()
        let request = RequestEnvelope(service: "s", method: "m", payload: [])
        let call = AcceptedCall(
            work: .unary { _, _ in [7] },
            call: ServerCall(
                peer: Peer(uid: 1000, gid: 1000, pid: 1, connectionID: 1),
                streamID: 1,
                request: request,
                deadline: .distantFuture,
                mailbox: mailbox
            ),
            payload: [],
            budget: budget
        )
        await call.perform(reportingTo: mailbox)
        var iterator = items.makeAsyncIterator()
        guard case .answer(1, .failure(let error)) = await iterator.next() else {
            Issue.record("There was to be an answer, and not its handler's.")
            return
        }
        #expect(error.code == .unavailable, "its handler has run")
        try await loop.submit { mailbox.close() }.get()
    }
}

@Suite struct MethodTableTests {
    @Test func aHandlerIsMadeForEachCallAndOnlyThen() throws {
        let made = NIOLockedValueBox<[String]>([])
        let methods = MethodTable { service, method in
            made.withLockedValue { $0.append("\(service)/\(method)") }
            return service == "test.Echo" ? .immediate { request in request + Array(method.utf8) } : nil
        }
        #expect(made.withLockedValue { $0 } == [])
        #expect(try answer(of: methods, "test.Echo", "A") == Array("?A".utf8))
        #expect(try answer(of: methods, "test.Echo", "B") == Array("?B".utf8))
        #expect(try answer(of: methods, "test.Other", "A") == nil)
        #expect(made.withLockedValue { $0 } == ["test.Echo/A", "test.Echo/B", "test.Other/A"])
    }

    @Test func aHandlerThatWasSetHasPriorityOverLookup() throws {
        var methods = MethodTable { _, _ in .immediate { _ in [1] } }
        methods["test.Echo", "A"] = .immediate { _ in [2] }
        #expect(try answer(of: methods, "test.Echo", "A") == [2])
        #expect(try answer(of: methods, "test.Echo", "B") == [1])
    }

    private func answer(of methods: MethodTable, _ service: String, _ method: String) throws -> [UInt8]? {
        guard case .immediate(let body) = methods[service, method] else {
            return nil
        }
        return try body(Array("?".utf8))
    }
}
