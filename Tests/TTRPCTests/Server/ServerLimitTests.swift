import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

@Suite("A server's limits and times, on a virtual clock")
struct ServerLimitTests {
    @Test func oneStreamTooManyIsRefusedAndAnAnswerMakesRoom() throws {
        var limits = TTRPCServer.Limits.generous
        limits.streamsPerConnection = 2
        let server = try ServerHarness(limits: limits)
        try server.send(.request(1), .request(3), .request(5))
        let reply = try server.reply()
        #expect(reply.header.streamID == 5)
        #expect(reply.error?.code == .resourceExhausted)
        server.answer(1)
        _ = try server.reply()
        try server.send(.request(7))
        #expect(try server.replies().isEmpty)
    }

    @Test func aStreamCountsUntilItsHandlerReturns() throws {
        var limits = TTRPCServer.Limits.generous
        limits.streamsPerConnection = 1
        let server = try ServerHarness(limits: limits)
        try server.send(.request(1, timeout: 1))
        server.advance(by: .milliseconds(1))
        #expect(try server.reply().error?.code == .deadlineExceeded)
        try server.send(.request(3))
        #expect(try server.reply().error?.code == .resourceExhausted)
        server.answer(1)
        #expect(try server.replies().isEmpty, "the late answer is dropped")
        try server.send(.request(5))
        #expect(try server.replies().isEmpty)
    }

    struct Timeout: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let nanoseconds: Int64
        let holds: TimeAmount
    }

    static let timeouts = [
        Timeout(testDescription: "none", nanoseconds: 0, holds: .seconds(30)),
        Timeout(testDescription: "too short", nanoseconds: 1, holds: .milliseconds(1)),
        Timeout(testDescription: "two seconds", nanoseconds: 2_000_000_000, holds: .seconds(2)),
        Timeout(testDescription: "too long", nanoseconds: .max, holds: .hours(1)),
    ]

    @Test(arguments: timeouts)
    func aUnaryCallEndsAtItsDeadline(timeout: Timeout) throws {
        let server = try ServerHarness()
        try server.send(.request(1, timeout: timeout.nanoseconds))
        server.advance(by: timeout.holds - .nanoseconds(1))
        #expect(try server.replies().isEmpty)
        server.advance(by: .nanoseconds(1))
        #expect(try server.reply().error?.code == .deadlineExceeded)
    }

    @Test func aLaterCallWithAnEarlierDeadlineEndsFirst() throws {
        let server = try ServerHarness()
        try server.send(.request(1, timeout: 5_000_000_000), .request(3, timeout: 2_000_000_000))
        server.advance(by: .seconds(2))
        #expect(try server.reply().header.streamID == 3)
        server.advance(by: .seconds(3))
        #expect(try server.reply().header.streamID == 1)
    }

    @Test func aStreamWithoutATimeoutLasts() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Wait", service: "test.Count", flags: .remoteClosed))
        server.advance(by: .hours(100))
        #expect(try server.replies().isEmpty)
        #expect(server.isOpen)
    }

    @Test func aStreamEndsAtItsDeadlineAndWritesNothingMore() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Wait", service: "test.Count", flags: .remoteClosed, timeout: 1_000_000))
        server.advance(by: .milliseconds(1))
        #expect(try server.reply().error?.code == .deadlineExceeded)
        server.write([1], to: 1)
        server.post(.streamEnd(1, nil))
        #expect(try server.replies().isEmpty)
        #expect(!server.handler.budget.isFull)
    }

    @Test func aConnectionThatSendsNothingIsClosed() throws {
        let server = try ServerHarness()
        server.advance(by: .seconds(5) - .nanoseconds(1))
        #expect(server.isOpen)
        server.advance(by: .nanoseconds(1))
        #expect(!server.isOpen)
    }

    @Test func aConnectionMayBeSilentAfterItsFirstFrame() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "unknown"))
        server.advance(by: .hours(1))
        #expect(server.isOpen)
    }

    @Test func aFrameThatDoesNotEndClosesTheConnection() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "unknown"))
        try server.send(header(10, 3))
        for _ in 0..<9 {
            server.advance(by: .seconds(1))
            try server.send(ByteBuffer(bytes: [0]))
        }
        server.advance(by: .seconds(1) - .nanoseconds(1))
        #expect(server.isOpen, "ten seconds have not passed")
        server.advance(by: .nanoseconds(1))
        #expect(!server.isOpen)
    }

    @Test func anOversizedFrameThatDoesNotEndClosesTheConnection() throws {
        let server = try ServerHarness()
        try server.send(header(1 << 20, 1))
        server.advance(by: .seconds(10))
        #expect(!server.isOpen)
    }

    @Test func tooManyRequestsAreRefusedUntilTimePasses() throws {
        var limits = TTRPCServer.Limits()
        limits.requestRate = TTRPCServer.RequestRate(perSecond: 10, burst: 2)
        let server = try ServerHarness(limits: limits)
        try server.send(.request(1), .request(3), .request(5))
        #expect(try server.reply().header.streamID == 5)
        server.advance(by: .milliseconds(100))
        try server.send(.request(7), .request(9))
        let reply = try server.reply()
        #expect(reply.header.streamID == 9)
        #expect(reply.error?.code == .resourceExhausted)
    }

    @Test func requestsOfImmediateMethodsAreCountedToo() throws {
        var limits = TTRPCServer.Limits()
        limits.requestRate = TTRPCServer.RequestRate(perSecond: 10, burst: 2)
        let server = try ServerHarness(limits: limits)
        try server.send(.request(1, "EchoNow"), .request(3, "EchoNow"), .request(5, "EchoNow"))
        #expect(try server.replies().map { $0.error?.code } == [nil, nil, .resourceExhausted])
    }

    @Test func immediateAnswersFillTheBudgetOfAPeerThatDoesNotRead() throws {
        var limits = TTRPCServer.Limits()
        limits.outboundBytes = 1000
        let server = try ServerHarness(limits: limits)
        server.stopReading()
        var id: UInt32 = 1
        while !server.handler.budget.isFull, id < 1000 {
            try server.send(.request(id, "EchoNow", payload: [UInt8](repeating: 0, count: 100)))
            id += 2
        }
        #expect(server.handler.budget.isFull)
        let before = server.reads
        server.channel.read()
        #expect(server.reads == before)
    }

    @Test func answersBeyondTheBudgetWaitUntilThePeerReads() throws {
        var limits = TTRPCServer.Limits.generous
        limits.outboundBytes = 1000
        let server = try ServerHarness(limits: limits)
        server.stopReading()
        let answer = ResponseEnvelope.success([UInt8](repeating: 0, count: 400))
        for id in stride(from: UInt32(1), through: 9, by: 2) { try server.send(.request(id)) }
        for id in stride(from: UInt32(1), through: 9, by: 2) { server.answer(id, answer) }
        #expect(server.handler.budget.isFull)
        #expect(server.handler.budget.waitersCount == 2)
        #expect(server.registry.usage.streams == 2, "a call whose answer waits is in flight")
        server.resumeReading()
        #expect(try server.replies().map(\.header.streamID).sorted() == [1, 3, 5, 7, 9])
        #expect(server.registry.usage.streams == 0)
    }

    @Test func aWaitingAnswerIsDroppedIfItsCallHasEnded() throws {
        var limits = TTRPCServer.Limits.generous
        limits.outboundBytes = 100
        let server = try ServerHarness(limits: limits)
        try server.send(.request(1), .request(3, timeout: 1_000_000))
        server.stopReading()
        for id: UInt32 in [1, 3] { server.answer(id, .success([UInt8](repeating: 0, count: 100))) }
        server.advance(by: .milliseconds(1))
        server.resumeReading()
        let replies = try server.replies()
        #expect(replies.map(\.header.streamID) == [1, 3])
        #expect(replies.map { $0.error?.code } == [nil, .deadlineExceeded])
        #expect(server.registry.usage.streams == 0)
        #expect(!server.handler.budget.isOverShare, "nothing is unread")
    }

    /// If the error code said that nothing happened, the caller would give up a product that it paid for.
    @Test func aDroppedAnswerIsNotReportedAsNotExecuted() throws {
        var limits = TTRPCServer.Limits.generous
        limits.outboundShare = 0
        let server = try ServerHarness(limits: limits)
        try server.send(.request(1))
        server.registry.outbound.add(64 << 20)
        server.answer(1, .success([7]))
        #expect(try server.reply().error?.code == .unavailable, "its handler has run")
        server.registry.outbound.add(-(64 << 20))
    }

    @Test func aTurnIsAtMostThirtyTwoFrames() throws {
        let server = try ServerHarness()
        var bytes = ByteBuffer()
        for number in UInt32(0)..<100 { bytes.writeImmutableBuffer(Frame.request(number * 2 + 1, "unknown").wire) }
        try server.channel.writeInbound(bytes)
        #expect(try server.replies().count == 32, "the rest waits until other connections had their turn")
        server.channel.embeddedEventLoop.run()
        #expect(try server.replies().count == 68)
    }

    @Test func aPeerThatDoesNotReadLosesItsStreamsAndThenItsConnection() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Flood", service: "test.Count", flags: .remoteClosed))
        server.stopReading()
        while !server.handler.budget.isFull { server.write([UInt8](repeating: 0, count: 100_000), to: 1) }
        server.advance(by: .seconds(30) - .nanoseconds(1))
        #expect(server.handler.streams.mayWrite(1))
        server.advance(by: .nanoseconds(1))
        #expect(!server.handler.streams.mayWrite(1))
        #expect(server.isOpen)
        server.advance(by: .seconds(30))
        #expect(!server.isOpen)
    }

    @Test func aPeerBeyondItsShareIsStalledOnlyWhenTheTotalIsReached() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Flood", service: "test.Count", flags: .remoteClosed))
        server.stopReading()
        server.write([UInt8](repeating: 0, count: 100_000), to: 1)
        #expect(!server.handler.budget.isFull)
        server.advance(by: .seconds(60))
        #expect(server.handler.streams.mayWrite(1), "it holds up no other connection")
        server.registry.outbound.add(64 << 20)
        #expect(server.handler.budget.isFull)
        server.advance(by: .seconds(30))
        #expect(!server.handler.streams.mayWrite(1))
        server.registry.outbound.add(-(64 << 20))
    }

    @Test func aPeerThatReadsOnlyAPartIsStalledToo() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Flood", service: "test.Count", flags: .remoteClosed))
        server.stopReading()
        for _ in 0..<2 { server.write([UInt8](repeating: 0, count: 100_000), to: 1) }
        server.readOne()
        server.registry.outbound.add(64 << 20)
        #expect(server.handler.budget.isFull)
        server.advance(by: .seconds(30))
        #expect(!server.handler.streams.mayWrite(1))
        server.registry.outbound.add(-(64 << 20))
    }

    @Test func aSlowPeerThatReadsInTimeLosesNothing() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Flood", service: "test.Count", flags: .remoteClosed))
        server.stopReading()
        while !server.handler.budget.isFull { server.write([UInt8](repeating: 0, count: 100_000), to: 1) }
        server.advance(by: .seconds(29))
        server.resumeReading()
        #expect(!server.handler.budget.isFull)
        server.advance(by: .hours(1))
        #expect(server.handler.streams.mayWrite(1))
        #expect(try server.replies().count == 11)
    }

    @Test func noRequestsAreReadWhileThePeerDoesNotRead() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Flood", service: "test.Count", flags: .remoteClosed))
        server.stopReading()
        while !server.handler.budget.isFull { server.write([UInt8](repeating: 0, count: 100_000), to: 1) }
        let before = server.reads
        server.channel.read()
        #expect(server.reads == before)
        server.resumeReading()
        #expect(server.reads == before + 1)
    }

    @Test func theFrameTimeoutIsSuspendedWhileTheServerDoesNotRead() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Flood", service: "test.Count", flags: .remoteClosed))
        try server.send(header(10, 3))
        server.stopReading()
        while !server.handler.budget.isFull { server.write([UInt8](repeating: 0, count: 100_000), to: 1) }
        server.channel.read()
        server.advance(by: .seconds(29))
        #expect(server.isOpen)
        server.resumeReading()
        server.advance(by: .seconds(10) - .nanoseconds(1))
        #expect(server.isOpen)
        server.advance(by: .nanoseconds(1))
        #expect(!server.isOpen, "now it must end in time")
    }

    @Test func aClosingConnectionReadsNoMore() throws {
        let server = try ServerHarness()
        server.stopReading()
        for _ in 0..<16 { try server.send(.request(2)) }
        #expect(server.isOpen, "its last answers are unread")
        let before = server.reads
        server.channel.read()
        #expect(server.reads == before)
        server.resumeReading()
        #expect(!server.isOpen)
    }

    @Test func theSentFrameLengthDoesNotDependOnTheAcceptedOne() throws {
        var limits = TTRPCServer.Limits.generous
        limits.frameLength = 4096
        let server = try ServerHarness(limits: limits)
        try server.send(.request(1), .request(3))
        server.answer(1, .success([UInt8](repeating: 0, count: 200_000)))
        #expect(try server.reply().data.readableBytes > 200_000)
        server.answer(3, .success([UInt8](repeating: 0, count: 300_000)))
        #expect(try server.reply().error?.code == .internalError, "the call was executed")
    }
}
