import NIOCore
import Testing

@testable import TTRPC

@Suite("How a server's connection ends calls early")
struct ServerShutdownTests {
    @Test func aCallIsCancelledByItsCallID() throws {
        let server = try ServerHarness()
        try server.send(.request(1, metadata: ["call-id": "a"]), .request(3, metadata: ["call-id": "b"]))
        #expect(server.cancel("b"))
        let reply = try server.reply()
        #expect(reply.header.streamID == 3)
        #expect(reply.error?.code == .cancelled)
        #expect(!server.cancel("b"), "it has ended already")
        #expect(!server.cancel("c"))
        server.answer(3)
        #expect(try server.replies().isEmpty)
    }

    @Test func allCallsWithACallIDAreCancelledExceptTheAskingOne() throws {
        let server = try ServerHarness()
        let same: Metadata = ["call-id": "a"]
        try server.send(.request(1, metadata: same), .request(3, metadata: same), .request(5, metadata: same))
        #expect(server.cancel("a", askedBy: 5))
        let replies = try server.replies()
        #expect(replies.map(\.header.streamID) == [1, 3])
        #expect(replies.allSatisfy { $0.error?.code == .cancelled })
        #expect(!server.cancel("a", askedBy: 5), "the call that asks is left alone")
    }

    @Test func theEmptyCallIDMatchesNoCall() throws {
        let server = try ServerHarness()
        try server.send(.request(1), .request(3, metadata: ["call-id": ""]))
        #expect(!server.cancel(""))
        #expect(try server.replies().isEmpty)
    }

    @Test func anyTaskMayEndACallEarlyOnce() throws {
        let server = try ServerHarness()
        try server.send(.request(1, "Wait", service: "test.Count", flags: .remoteClosed), .request(3))
        server.post(.end(1, RPCError(code: .cancelled, message: "replaced")))
        let reply = try server.reply()
        #expect(reply.header.streamID == 1)
        #expect(reply.error == RPCError(code: .cancelled, message: "replaced"))
        server.write([1], to: 1)
        let again = RPCError(code: .cancelled, message: "again")
        server.post(.end(1, again), .end(9, again))
        #expect(try server.replies().isEmpty)
        server.answer(3)
        #expect(try server.reply().header.streamID == 3)
    }

    @Test func shutdownEndsStreamsLetsUnaryCallsFinishAndCloses() throws {
        let server = try ServerHarness()
        try server.send(.request(1), .request(3, "Wait", service: "test.Count", flags: .remoteClosed))
        server.post(.shutDown(.seconds(10)))
        let reply = try server.reply()
        #expect(reply.header.streamID == 3)
        #expect(reply.error?.code == .unavailable)
        try server.send(.request(5))
        #expect(try server.reply().error?.code == .unavailable)
        #expect(server.isOpen)
        server.answer(1, .success([1]))
        #expect(try server.reply().error == nil)
        #expect(!server.isOpen)
    }

    @Test func shutdownClosesAnIdleConnectionAtOnce() throws {
        let server = try ServerHarness()
        server.post(.shutDown(.seconds(10)))
        #expect(!server.isOpen)
    }

    @Test func shutdownWaitsForAUnaryCallNoLongerThanItsGrace() throws {
        let server = try ServerHarness()
        try server.send(.request(1))
        server.post(.shutDown(.seconds(10)))
        server.advance(by: .seconds(10) - .nanoseconds(1))
        #expect(server.isOpen)
        server.advance(by: .nanoseconds(1))
        #expect(try server.reply().error?.code == .unavailable)
        #expect(!server.isOpen)
    }

    @Test func aClosingConnectionWaitsForItsPeerToReadNoLongerThanASecond() throws {
        let server = try ServerHarness()
        server.stopReading()
        try server.send(header(.max, 1))
        #expect(server.isOpen)
        server.advance(by: .seconds(1))
        #expect(!server.isOpen)
    }

    @Test func framesThatArriveAfterTheConnectionClosedAreDropped() throws {
        let server = try ServerHarness()
        try server.send(.request(1))
        server.post(.close)
        #expect(!server.isOpen)
        #expect(!server.connection.mailbox.post(.answer(1, .success([]))))
        server.registry.remove(server.connection)
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 0, streams: 0))
    }
}
