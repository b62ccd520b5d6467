import Foundation
import TTRPC
import Testing
import TillEngine
import TillModel
import TillWire

/// Streams of clients that send no metadata, like containerd's library, and so have no name for the call.
@Suite("Leaving a stream by the identity in its request", .timeLimit(.minutes(10)))
struct LeavingStreamsTests {
    /// A connection that has completed Hello and names no calls.
    private struct Peer {
        let client: TTRPCClient

        func observe(_ id: UInt32) -> ServerStreamMessages.Iterator {
            stream(ObserveRequest(observerID: id))
        }

        func watch(_ id: UInt32) -> ServerStreamMessages.Iterator {
            stream(WatchRequest(watchID: id))
        }

        private func stream<Request: StreamingCall>(_ request: Request) -> ServerStreamMessages.Iterator {
            let path = Request.path
            return client.serverStreaming(path.service, path.method, request.wireBytes()).makeAsyncIterator()
        }

        func cancel(_ request: CancelRequest) async throws -> Bool {
            try await client.call(request).found
        }

        /// Sends an acknowledgement, and returns its error.
        func acknowledge(_ id: UInt32) async -> RPCStatusCode? {
            let (path, request) = (AcknowledgeRequest.path, AcknowledgeRequest(observerID: id, revision: 1))
            do {
                _ = try await client.unary(path.service, path.method, request.wireBytes())
                return nil
            } catch {
                return error.code
            }
        }
    }

    private static func withPeer(_ body: (Peer, DaemonHarness, TTRPCServer) async throws -> Void) async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { server in
                let peer = Peer(client: try await daemon.greeted())
                try await body(peer, daemon, server)
                peer.client.close()
            }
        }
    }

    private static func failure(_ messages: inout ServerStreamMessages.Iterator) async -> RPCStatusCode? {
        do throws(RPCError) {
            while try await messages.next() != nil {}
            return nil
        } catch {
            return error.code
        }
    }

    @Test func anObserverIsCancelledByItsIdentity() async throws {
        try await Self.withPeer { peer, _, _ in
            for id in [UInt32(0), 7, .max] {
                var stream = peer.observe(id)
                _ = try #require(try await stream.next())
                let isFound = try await peer.cancel(CancelRequest(observerID: id))
                #expect(isFound)
                #expect(await Self.failure(&stream) == .cancelled)
                #expect(await peer.acknowledge(id) == .notFound)
                let isFoundAgain = try await peer.cancel(CancelRequest(observerID: id))
                #expect(!isFoundAgain)
            }
        }
    }

    @Test func aNewerObserverTakesTheIdentityOfAnOlderOne() async throws {
        try await Self.withPeer { peer, _, _ in
            var older = peer.observe(7)
            _ = try #require(try await older.next())
            // This is more often than a connection may have streams.
            for _ in 0..<200 {
                var newer = peer.observe(7)
                _ = try #require(try await newer.next())
                #expect(await Self.failure(&older) == .cancelled)
                #expect(await peer.acknowledge(7) == nil)
                older = newer
            }
            let isFound = try await peer.cancel(CancelRequest(observerID: 7))
            #expect(isFound)
            #expect(await Self.failure(&older) == .cancelled)
        }
    }

    @Test func unreadObserversLeaveNoStreamBehind() async throws {
        try await Self.withPeer { peer, _, server in
            for id in UInt32(1)...300 {
                // The request to end the stream is sent before any of it is read.
                var stream = peer.observe(id)
                #expect(try await peer.cancel(CancelRequest(observerID: id)), "observer \(id) was not found")
                #expect(await Self.failure(&stream) == .cancelled)
            }
            while server.usage.streams > 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func aWatchIsCancelledByItsIdentityAndItsUserHasNoAgentThen() async throws {
        try await Self.withPeer { peer, daemon, _ in
            var older = peer.watch(7)
            var newer = peer.watch(7)
            #expect(await Self.failure(&older) == .cancelled, "the newer watch must replace it")
            #expect(daemon.engine.isAgentAttached(account: daemon.name.account))
            #expect(try await peer.cancel(CancelRequest(observerID: 7)) == false, "a watch is not an observer")
            #expect(try await peer.cancel(CancelRequest(watchID: 7)))
            #expect(await Self.failure(&newer) == .cancelled)
            while daemon.engine.isAgentAttached(account: daemon.name.account) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func watchesWithoutAnIdentityLeaveEachOtherAlone() async throws {
        try await Self.withPeer { peer, _, server in
            let streams = [peer.watch(0), peer.watch(0)]
            while server.usage.streams < 2 {
                try Task.checkCancellation()
                await Task.yield()
            }
            #expect(try await peer.cancel(CancelRequest()) == false)
            #expect(server.usage.streams == 2)
            withExtendedLifetime(streams) {}
        }
    }
}
