import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

@Suite("A server's answers to frames")
struct ServerFrameTests {
    @Test func aRequestIsOpenedAndItsAnswerWritten() throws {
        let server = try ServerHarness()
        try server.send(.request(1))
        #expect(try server.replies().isEmpty)
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 1, streams: 1, frameBytes: 17))
        server.answer(1, .success([8, 9]))
        #expect(try server.reply() == Frame(.response, 1, data: [0x12, 2, 8, 9]))
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 1, streams: 0))
    }

    @Test func anImmediateMethodIsAnsweredInTheTurnOfItsRequest() throws {
        let server = try ServerHarness()
        try server.channel.writeInbound(Frame.request(1, "EchoNow", payload: [8, 9]).wire)
        #expect(try server.reply() == Frame(.response, 1, data: [0x12, 2, 8, 9]))
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 1, streams: 0))
        try server.channel.writeInbound(Frame.request(3, "FailNow").wire)
        #expect(try server.reply().error == RPCError(code: .failedPrecondition, message: "as asked"))
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 1, streams: 0))
    }

    @Test func aStreamsMessagesAndItsEndAreDataFrames() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Count", service: "test.Count", flags: .remoteClosed))
        server.write([8, 9], to: 1)
        server.post(.streamEnd(1, nil))
        #expect(try server.replies() == [Frame(.data, 1, data: [8, 9]), Frame(.data, 1, [.remoteClosed, .noData])])
    }

    @Test func aStreamsErrorIsAResponse() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Count", service: "test.Count", flags: .remoteClosed))
        let error = RPCError(code: .dataLoss, message: "lost")
        server.post(.streamEnd(1, error))
        #expect(try server.reply().error == error)
    }

    @Test func answersOfOneTurnAreWrittenTogether() throws {
        let server = try ServerHarness()
        try server.send(.request(1), .request(3))
        _ = server.connection.mailbox.post(.answer(3, .success([])))
        server.answer(1)
        #expect(try server.channel.readOutbound(as: ByteBuffer.self)?.readableBytes == 20)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frame: Frame
        let code: RPCStatusCode
    }

    static let refusals = [
        Refusal(testDescription: "no service", frame: .request(1, service: ""), code: .invalidArgument),
        Refusal(testDescription: "an empty request", frame: Frame(.request, 1), code: .invalidArgument),
        Refusal(testDescription: "an unknown service", frame: .request(1, service: "x"), code: .unimplemented),
        Refusal(testDescription: "an unknown method", frame: .request(1, "x"), code: .unimplemented),
        Refusal(testDescription: "a client stream", frame: .request(1, flags: .remoteOpen), code: .unimplemented),
        Refusal(
            testDescription: "a unary request for a stream",
            frame: .request(1, "Count", service: "test.Count"),
            code: .invalidArgument
        ),
        Refusal(testDescription: "bad protobuf", frame: Frame(.request, 1, data: [0xFF]), code: .invalidArgument),
        Refusal(testDescription: "a negative timeout", frame: .request(1, timeout: -1), code: .invalidArgument),
        Refusal(
            testDescription: "a negative timeout of an immediate method",
            frame: .request(1, "EchoNow", timeout: -1),
            code: .invalidArgument
        ),
        Refusal(testDescription: "an even id", frame: .request(2), code: .invalidArgument),
        Refusal(testDescription: "id 0", frame: .request(0), code: .invalidArgument),
        Refusal(testDescription: "a response", frame: Frame(.response, 1), code: .invalidArgument),
        Refusal(
            testDescription: "an unknown type",
            frame: Frame(FrameType(rawValue: 4), 1),
            code: .invalidArgument
        ),
        Refusal(
            testDescription: "unknown request flags",
            frame: .request(1, flags: FrameFlags(rawValue: 8)),
            code: .invalidArgument
        ),
        Refusal(
            testDescription: "open and closed at once",
            frame: .request(1, flags: [.remoteOpen, .remoteClosed]),
            code: .invalidArgument
        ),
        Refusal(testDescription: "a request without data", frame: .request(1, flags: .noData), code: .invalidArgument),
        Refusal(testDescription: "data before a request", frame: Frame(.data, 1), code: .invalidArgument),
        Refusal(
            testDescription: "17 metadata pairs",
            frame: .request(1, metadata: Metadata(Array(repeating: .init(key: "k", value: "v"), count: 17))),
            code: .resourceExhausted
        ),
        Refusal(
            testDescription: "a key of 65 bytes",
            frame: .request(1, metadata: [String(repeating: "k", count: 65): ""]),
            code: .resourceExhausted
        ),
        Refusal(
            testDescription: "a value of 1025 bytes",
            frame: .request(1, metadata: ["k": String(repeating: "v", count: 1025)]),
            code: .resourceExhausted
        ),
    ]

    @Test(arguments: refusals)
    func anInvalidFrameIsAnsweredOnItsStreamAndTheConnectionStaysOpen(refusal: Refusal) throws {
        let server = try ServerHarness()
        try server.send(refusal.frame)
        let reply = try server.reply()
        #expect(reply.header.streamID == refusal.frame.header.streamID)
        #expect(reply.error?.code == refusal.code)
        #expect(server.isOpen)
        #expect(server.registry.usage.streams == 0)
        try server.send(.request(3))
        server.answer(3)
        #expect(try server.reply().error == nil)
    }

    @Test func theMaximumOfMetadataIsAccepted() throws {
        let server = try ServerHarness()
        let pair = Metadata.Pair(key: String(repeating: "k", count: 64), value: String(repeating: "v", count: 1024))
        try server.send(.request(1, metadata: Metadata(Array(repeating: pair, count: 16))))
        #expect(try server.replies().isEmpty)
        #expect(server.registry.usage.streams == 1)
    }

    @Test func anOversizedFrameIsAnsweredBeforeItIsComplete() throws {
        var limits = TTRPCServer.Limits.generous
        limits.frameLength = 100
        let server = try ServerHarness(limits: limits)
        try server.send(header(1000, 1))
        #expect(try server.reply().error?.code == .resourceExhausted)
        try server.send(ByteBuffer(repeating: 0, count: 1000))
        try server.send(.request(1))
        #expect(try server.reply().error?.code == .invalidArgument, "the id of the oversized request is used")
        try server.send(.request(3))
        #expect(server.registry.usage.streams == 1)
    }

    @Test(arguments: [UInt32(4 << 20) + 1, 0x0100_0000, .max])
    func aBrokenHeaderIsAnsweredAndTheConnectionCloses(length: UInt32) throws {
        let server = try ServerHarness()
        try server.send(header(length, 7))
        let reply = try server.reply()
        #expect(reply.header.streamID == 7)
        #expect(reply.error?.code == .resourceExhausted)
        #expect(!server.isOpen)
    }

    @Test func theSixteenthFaultClosesTheConnection() throws {
        let server = try ServerHarness()
        for _ in 1...15 { try server.send(.request(2)) }
        #expect(server.isOpen)
        #expect(try server.replies().count == 15)
        try server.send(.request(2))
        #expect(try server.replies().count == 1)
        #expect(!server.isOpen)
    }

    @Test func dataForAnOpenStreamEndsIt() throws {
        let server = try ServerHarness()
        try server.send(.request(1), Frame(.data, 1, data: [1]))
        #expect(try server.reply().error?.code == .invalidArgument)
        server.answer(1)
        #expect(try server.replies().isEmpty, "a stream has one final frame")
    }

    @Test func dataAfterTheEndIsDropped() throws {
        let server = try ServerHarness()
        try server.send(.request(1, flags: .remoteOpen))
        #expect(try server.reply().error?.code == .unimplemented)
        for _ in 0..<100 { try server.send(Frame(.data, 1, data: [1])) }
        #expect(try server.replies().isEmpty)
        #expect(server.isOpen)
    }

    @Test func anAnswerLongerThanAFrameIsAnError() throws {
        let server = try ServerHarness()
        try server.send(.request(1))
        server.answer(1, .success([UInt8](repeating: 0, count: Frame.lengthDefault)))
        #expect(try server.reply().error?.code == .internalError, "its handler has run")
    }
}
