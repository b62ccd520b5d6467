import NIOCore
import Testing

@testable import TTRPC

@Suite("The streams of a client's connection")
struct ClientStreamsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: ClientStreams.Kind
        let type: FrameType
        var flags = FrameFlags()
        let verdict: ClientStreams.Verdict?
        let isOver: Bool

        var testDescription: String { "\(kind), type \(type.rawValue), flags \(flags.rawValue)" }
    }

    static let cases = [
        Case(kind: .unary, type: .response, verdict: .respond, isOver: true),
        Case(kind: .unary, type: .data, verdict: nil, isOver: true),
        Case(kind: .unary, type: .request, verdict: nil, isOver: true),
        Case(kind: .streaming, type: .response, verdict: .respond, isOver: true),
        Case(kind: .streaming, type: .data, verdict: .deliver, isOver: false),
        Case(kind: .streaming, type: .data, flags: .noData, verdict: .drop, isOver: false),
        Case(kind: .streaming, type: .data, flags: .remoteClosed, verdict: .deliverAndFinish, isOver: true),
        Case(kind: .streaming, type: .data, flags: [.remoteClosed, .noData], verdict: .finish, isOver: true),
        Case(kind: .streaming, type: .data, flags: .remoteOpen, verdict: nil, isOver: true),
        Case(kind: .streaming, type: FrameType(rawValue: 9), verdict: nil, isOver: true),
    ]

    /// A verdict of `nil` stands for any failure with INTERNAL.
    @Test(arguments: cases)
    func aFrameIsClassifiedByItsStreamsKind(frame: Case) {
        var streams = ClientStreams(streamsMaximum: 1)
        #expect(streams.open(frame.kind, deadline: .distantFuture) == .open(1))
        let header = FrameHeader(length: 0, streamID: 1, type: frame.type, flags: frame.flags)
        let verdict = streams.receive(header)
        if let expected = frame.verdict {
            #expect(verdict == expected)
        } else if case .fail(let error) = verdict {
            #expect(error.code == .internalError)
        } else {
            Issue.record("\(verdict) is not a failure")
        }
        #expect((streams.earliestDeadline == nil) == frame.isOver)
        if frame.isOver { #expect(streams.receive(header) == .drop, "later frames are dropped") }
    }

    @Test func idsAreOddAndIncrease() {
        var streams = ClientStreams(streamsMaximum: 3)
        #expect(streams.open(.unary, deadline: .distantFuture) == .open(1))
        #expect(streams.open(.unary, deadline: .distantFuture) == .open(3))
        streams.abandon(1)
        #expect(streams.open(.unary, deadline: .distantFuture) == .open(5))
    }

    @Test func oneStreamTooManyIsRefused() {
        var streams = ClientStreams(streamsMaximum: 1)
        #expect(streams.open(.unary, deadline: .distantFuture) == .open(1))
        guard case .refuse(let error) = streams.open(.unary, deadline: .distantFuture) else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.code == .resourceExhausted)
        streams.abandon(1)
        #expect(streams.open(.unary, deadline: .distantFuture) == .open(3))
    }

    @Test func theConnectionIsExhaustedWhenTheIDsRunOutAndTheLastStreamEnds() {
        var streams = ClientStreams(streamsMaximum: 8, firstID: .max)
        #expect(streams.open(.unary, deadline: .distantFuture) == .open(.max))
        guard case .refuse(let error) = streams.open(.unary, deadline: .distantFuture) else {
            Issue.record("an id was assigned twice")
            return
        }
        #expect(error.code == .unavailable)
        #expect(!streams.isExhausted)
        streams.abandon(.max)
        #expect(streams.isExhausted)
    }

    @Test func anOversizedAnswerFailsItsCall() {
        var streams = ClientStreams(streamsMaximum: 1)
        let header = FrameHeader(length: 1 << 20, streamID: 1, type: .response)
        #expect(streams.receiveOversized(header) == .drop)
        _ = streams.open(.unary, deadline: .distantFuture)
        guard case .fail(let error) = streams.receiveOversized(header) else {
            Issue.record("the call did not fail")
            return
        }
        #expect(error.code == .resourceExhausted)
    }

    @Test func streamsPastTheirDeadlineExpire() {
        var streams = ClientStreams(streamsMaximum: 8)
        for deadline in [UInt64(30), 10, 20] { _ = streams.open(.unary, deadline: .uptimeNanoseconds(deadline)) }
        #expect(streams.earliestDeadline == .uptimeNanoseconds(10))
        #expect(streams.expire(now: .uptimeNanoseconds(20)) == [3, 5])
        #expect(streams.earliestDeadline == .uptimeNanoseconds(30))
    }

    @Test func eachMessageRestartsTheSilenceTimeout() {
        var streams = ClientStreams(streamsMaximum: 8)
        _ = streams.open(.streaming, deadline: .uptimeNanoseconds(100), silenceMaximum: .nanoseconds(20))
        _ = streams.open(.streaming, deadline: .distantFuture)
        #expect(streams.noteActivity(1, now: .uptimeNanoseconds(5)) == .uptimeNanoseconds(25))
        #expect(streams.noteActivity(3, now: .uptimeNanoseconds(5)) == nil)
        #expect(streams.noteActivity(5, now: .uptimeNanoseconds(5)) == nil)
        #expect(streams.noteActivity(1, now: .uptimeNanoseconds(24)) == .uptimeNanoseconds(44))
        #expect(streams.earliestDeadline == .uptimeNanoseconds(44))
        #expect(streams.expire(now: .uptimeNanoseconds(43)) == [])
        _ = streams.noteActivity(1, now: .uptimeNanoseconds(90))
        #expect(streams.earliestDeadline == .uptimeNanoseconds(100))
        #expect(streams.expire(now: .uptimeNanoseconds(100)) == [1])
    }
}
