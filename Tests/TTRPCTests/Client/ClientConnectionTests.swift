import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

@Suite("A client's connection, on a virtual clock", .timeLimit(.minutes(10)))
struct ClientConnectionTests {
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: [Frame]
        var messages: [[UInt8]] = []
        var code: RPCStatusCode?
    }

    static let endings = [
        Ending(testDescription: "no message", frames: [Frame(.data, 1, [.remoteClosed, .noData])]),
        Ending(
            testDescription: "an empty message",
            frames: [Frame(.data, 1), Frame(.data, 1, [.remoteClosed, .noData])],
            messages: [[]]
        ),
        Ending(
            testDescription: "a last message",
            frames: [Frame(.data, 1, data: [1]), Frame(.data, 1, .remoteClosed, data: [2])],
            messages: [[1], [2]]
        ),
        Ending(
            testDescription: "an empty last message",
            frames: [Frame(.data, 1, .remoteClosed)],
            messages: [[]]
        ),
        Ending(
            testDescription: "a response with a message",
            frames: [Frame(.response, 1, data: [0x12, 1, 5])],
            messages: [[5]]
        ),
        Ending(
            testDescription: "an error",
            frames: [Frame(.data, 1, data: [1]), Frame(.response, 1, data: [0x0A, 2, 0x08, 5])],
            messages: [[1]],
            code: .notFound
        ),
        Ending(
            testDescription: "an invalid response",
            frames: [Frame(.response, 1, data: [0xFF])],
            code: .internalError
        ),
        Ending(testDescription: "a request", frames: [Frame(.request, 1)], code: .internalError),
        Ending(
            testDescription: "frames of other streams before",
            frames: [Frame(.data, 3), Frame(.response, 2), Frame(.response, 1)]
        ),
    ]

    @Test(arguments: endings)
    func aStreamEndsWithTheServersStatus(ending: Ending) async throws {
        let client = try ClientHarness()
        let (_, messages) = client.start()
        for frame in ending.frames { try client.receive(frame.wire) }
        let outcome = await messages.collect()
        #expect(outcome.messages == ending.messages)
        #expect(outcome.code == ending.code)
        #expect(client.isOpen)
    }

    @Test func requestsCarryIncreasingOddIDsAndTheRemoteClosedFlag() throws {
        let client = try ClientHarness()
        _ = [client.start(), client.start()]
        let headers = try client.sent().map(\.header)
        #expect(headers.map(\.streamID) == [1, 3])
        #expect(headers.allSatisfy { $0.flags == .remoteClosed && $0.type == .request })
    }

    @Test func aStreamEndsWhenItsServerIsSilentForTooLong() async throws {
        let client = try ClientHarness()
        let stream = client.start(silenceMaximum: .seconds(10))
        for _ in 0..<3 {
            client.advance(by: .seconds(9))
            try client.receive(Frame(.data, 1, data: [1]).wire)
        }
        client.advance(by: .seconds(10))
        let outcome = await stream.messages.collect()
        #expect(outcome.messages == [[1], [1], [1]])
        #expect(outcome.code == .deadlineExceeded)
    }

    @Test func aCallEndsAtItsOwnDeadline() async throws {
        let client = try ClientHarness()
        let late = client.start(timeout: .seconds(20))
        let early = client.start(timeout: .seconds(10))
        client.advance(by: .seconds(10))
        #expect(await early.messages.collect().code == .deadlineExceeded)
        try client.receive(Frame(.response, 1).wire)
        #expect(await late.messages.collect().code == nil)
    }

    @Test func aCallWhoseDeadlineHasPassedIsNotSent() async throws {
        let client = try ClientHarness()
        let call = client.start(timeout: .zero)
        #expect(await call.messages.collect().code == .deadlineExceeded)
        #expect(try client.sent().isEmpty)
    }

    @Test func oneCallTooManyIsNotSent() async throws {
        var limits = TTRPCClient.Limits()
        limits.streams = 1
        let client = try ClientHarness(limits: limits)
        let first = client.start()
        let second = client.start()
        #expect(await second.messages.collect().code == .resourceExhausted)
        #expect(try client.sent().count == 1)
        client.post(.abandon(first.token))
        #expect(await first.messages.collect().code == .cancelled)
        _ = client.start()
        #expect(try client.sent().count == 1)
    }

    @Test func aRequestLongerThanAFrameIsNotSent() async throws {
        var limits = TTRPCClient.Limits()
        limits.frameLength = 100
        let client = try ClientHarness(limits: limits)
        let call = client.start(payload: [UInt8](repeating: 0, count: 100))
        #expect(await call.messages.collect().code == .resourceExhausted)
        #expect(try client.sent().isEmpty)
    }

    @Test func noMoreRequestsAreSentToAServerThatDoesNotRead() async throws {
        var limits = TTRPCClient.Limits()
        limits.outboundBytes = 1
        let client = try ClientHarness(limits: limits)
        try client.channel.pipeline.syncOperations.addHandler(HoldWrites(), position: .first)
        _ = client.start()
        let second = client.start()
        #expect(await second.messages.collect().code == .resourceExhausted)
    }

    @Test func anOversizedAnswerFailsOnlyItsCall() async throws {
        let client = try ClientHarness()
        let call = client.start()
        let other = client.start()
        try client.receive(header(1 << 20, 1, .response))
        #expect(await call.messages.collect().code == .resourceExhausted)
        try client.receive(ByteBuffer(repeating: 0, count: 1 << 20))
        try client.receive(Frame(.response, 3).wire)
        #expect(await other.messages.collect().code == nil)
    }

    @Test func aBrokenFrameClosesTheConnection() async throws {
        let client = try ClientHarness()
        let call = client.start()
        try client.receive(header(.max, 1, .response))
        #expect(!client.isOpen)
        client.channel.embeddedEventLoop.run()
        #expect(await call.messages.collect().code == .unavailable)
    }

    @Test func aMessageBeyondTheBufferEndsTheStreamAfterTheBufferedOnes() async throws {
        let client = try ClientHarness()
        let call = client.start(messages: 2)
        for number in UInt8(0)..<3 { try client.receive(Frame(.data, 1, data: [number]).wire) }
        let outcome = await call.messages.collect()
        #expect(outcome.messages == [[0], [1]])
        #expect(outcome.code == .resourceExhausted)
    }

    @Test func aClientSurvivesEveryFlippedBit() async throws {
        for golden in GoldenFrame.allCases {
            for bit in 0..<golden.bytes.count * 8 {
                var bytes = golden.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                let client = try ClientHarness()
                let calls = [client.start(), client.start(), client.start()]
                try client.receive(ByteBuffer(bytes: bytes))
                client.post(.close)
                for call in calls { _ = await call.messages.collect() }
                #expect(!client.isOpen)
            }
        }
    }
}

/// Holds back writes, as if the server did not read.
private final class HoldWrites: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { promises.append(promise) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        promises.forEach { $0.fail(ChannelError.ioOnClosedChannel) }
    }
}
