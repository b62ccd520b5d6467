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
