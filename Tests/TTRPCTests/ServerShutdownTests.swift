import NIOCore
import Testing

@testable import TTRPC

@Suite("How a server's connection ends calls early")
struct ServerShutdownTests {
    @Test func aCallIsCancelledByTheNameThatItsClientGaveIt() throws {
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

    @Test func whatArrivesAfterTheConnectionClosedIsDropped() throws {
        let server = try ServerHarness()
        try server.send(.request(1))
        server.post(.close)
        #expect(!server.isOpen)
        #expect(!server.connection.mailbox.post(.answer(1, .success([]))))
        server.registry.remove(server.connection)
        #expect(server.registry.usage == TTRPCServer.Usage(connections: 0, streams: 0))
    }
}
