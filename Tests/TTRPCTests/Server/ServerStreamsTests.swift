import NIOCore
import Testing

@testable import TTRPC

@Suite("The streams of a server's connection")
struct ServerStreamsTests {
    private static let soon = NIODeadline.uptimeNanoseconds(100)

    private func streams(_ ids: UInt32..., kind: ServerStreams.Kind = .unary) -> ServerStreams {
        var streams = ServerStreams(streamsMaximum: 4, faultsMaximum: 3)
        for id in ids {
            #expect(streams.receive(header(id)) == .decode)
            streams.open(id, kind: kind, deadline: Self.soon, callID: "call \(id)")
        }
        return streams
    }

    private func header(_ id: UInt32, _ type: FrameType = .request, _ flags: FrameFlags = []) -> FrameHeader {
        FrameHeader(length: 0, streamID: id, type: type, flags: flags)
    }

    private func isFault(_ verdict: ServerStreams.Verdict, thenClose: Bool = false) -> Bool {
        guard case .answer(let error, thenClose) = verdict else { return false }
        return error.code == .invalidArgument
    }

    @Test(arguments: [FrameFlags(), .remoteClosed, .remoteOpen])
    func everyDefinedRequestIsDecoded(flags: FrameFlags) {
        var streams = streams()
        #expect(streams.receive(header(1, .request, flags)) == .decode)
    }

    @Test(arguments: [UInt32(1), 3, 5])
    func anIDThatDoesNotIncreaseIsAFault(id: UInt32) {
        var streams = streams()
        #expect(streams.receive(header(5)) == .decode)
        #expect(isFault(streams.receive(header(id))))
        #expect(streams.receive(header(7)) == .decode)
    }

    @Test func noRequestFollowsTheHighestID() {
        var streams = streams()
        #expect(streams.receive(header(.max)) == .decode)
        #expect(isFault(streams.receive(header(.max))))
        #expect(isFault(streams.receive(header(1))))
    }

    @Test func aFaultOnAnOpenStreamEndsItOnceAndIsCounted() {
        var streams = streams(1)
        guard case .end(.unary, _, thenClose: false) = streams.receive(header(1)) else {
            Issue.record("the stream did not end")
            return
        }
        #expect(streams.isIdle)
        #expect(streams.receive(header(1)) == .drop, "it has its final frame")
        #expect(streams.receive(header(1)) == .close, "the third fault")
        #expect(streams.finish(1) == false)
    }

    @Test func theLastFaultCloses() {
        var streams = streams()
        #expect(isFault(streams.receive(header(2))))
        #expect(isFault(streams.receive(header(2))))
        #expect(isFault(streams.receive(header(2)), thenClose: true))
    }

    @Test func aRefusedRequestUsesItsID() {
        var streams = streams(1, 3, 5, 7)
        guard case .answer(let error, thenClose: false) = streams.receive(header(9)) else {
            Issue.record("the fifth stream was not refused")
            return
        }
        #expect(error.code == .resourceExhausted)
        #expect(streams.finish(1) == true)
        #expect(isFault(streams.receive(header(9))))
        #expect(streams.receive(header(11)) == .decode)
    }

    @Test func dataForAFinishedStreamIsDropped() {
        var streams = streams(1, 3)
        #expect(streams.finish(1) == true)
        #expect(streams.end(3) == .unary)
        #expect(streams.receive(header(1, .data)) == .drop)
        #expect(streams.receive(header(3, .data, .remoteClosed)) == .drop)
        #expect(isFault(streams.receive(header(5, .data))))
        #expect(isFault(streams.receive(header(1, .data, .remoteOpen)), thenClose: false))
    }

    @Test func aStreamEndsOnceWhateverEndsItFirst() {
        var streams = streams(1, 3, 5, kind: .streaming)
        #expect(streams.end(1) == .streaming)
        #expect(streams.end(1) == nil)
        #expect(streams.end(callID: "call 1").isEmpty)
        #expect(!streams.mayWrite(1))
        #expect(streams.finish(1) == false)
        #expect(streams.finish(1) == false, "finishing twice does nothing")
        #expect(streams.end(callID: "call 3") == [ServerStreams.Ended(id: 3, kind: .streaming)])
        #expect(streams.end { _, deadline in deadline <= Self.soon } == [ServerStreams.Ended(id: 5, kind: .streaming)])
        #expect(streams.isIdle)
    }

    @Test func theEarliestDeadlineIsThatOfTheOpenStreams() {
        var streams = streams(1)
        streams.open(3, kind: .unary, deadline: .uptimeNanoseconds(50), callID: nil)
        #expect(streams.earliestDeadline == .uptimeNanoseconds(50))
        _ = streams.end(3)
        #expect(streams.earliestDeadline == Self.soon)
        _ = streams.finish(1)
        #expect(streams.earliestDeadline == nil)
    }
}
