import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// A web server on this machine that serves content correctly or with faults, as a table says.
package final class ContentServer: Sendable {
    package struct Request: Hashable, Sendable {
        package var path: String
        package var range: String?
        package var ifRange: String?
    }

    /// Returns the content and the reply for a path, given the number of earlier requests for it.
    package typealias Table = @Sendable (_ path: String, _ query: Substring, _ number: Int) -> (ServedBytes, Reply)?

    private struct State {
        var contents: [String: (bytes: ServedBytes, replies: [Reply])] = [:]
        var requests: [Request] = []
        var connections: [ObjectIdentifier: any Channel] = [:]
        var connectionCount = 0
    }

    private let state = NIOLockedValueBox(State())
    private let channel: any Channel
    package let port: Int

    package var requests: [Request] { state.withLockedValue { $0.requests } }
    /// The number of connections so far.
    package var connectionCount: Int { state.withLockedValue { $0.connectionCount } }
    /// The number of open connections.
    package var openConnectionCount: Int { state.withLockedValue { $0.connections.count } }

    /// - Parameter table: The table for other paths than those of ``put(_:_:_:)``.
    package init(port: Int = 0, table: @escaping Table = { _, _, _ in nil }) async throws {
        let state = state
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { child in
                Self.keep(child, in: state)
                return child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.configureHTTPServerPipeline()
                    try child.pipeline.syncOperations.addHandler(
                        ContentHandler { Self.answer($0, state, table) }
                    )
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        self.port = channel.localAddress?.port ?? 0
    }

    /// Serves the content with each reply in turn, and then always with the last one.
    package func put(_ path: String, _ bytes: ServedBytes, _ replies: Reply...) {
        put(path, bytes, replies: replies)
    }

    package func put(_ path: String, _ bytes: ServedBytes, replies: [Reply]) {
        state.withLockedValue { $0.contents[path] = (bytes, replies.isEmpty ? [.good] : replies) }
    }

    package func address(_ path: String) -> String {
        "http://127.0.0.1:\(port)\(path)"
    }

    package func shutDown() async {
        try? await channel.close()
        for connection in state.withLockedValue({ Array($0.connections.values) }) {
            try? await connection.close()
        }
    }

    private static func keep(_ child: any Channel, in state: NIOLockedValueBox<State>) {
        let id = ObjectIdentifier(child)
        state.withLockedValue {
            $0.connections[id] = child
            $0.connectionCount += 1
        }
        child.closeFuture.whenComplete { _ in state.withLockedValue { $0.connections[id] = nil } }
    }

    private static func answer(
        _ head: HTTPRequestHead,
        _ state: NIOLockedValueBox<State>,
        _ table: Table
    ) -> (ServedBytes, Reply)? {
        let parts = head.uri.split(separator: "?", maxSplits: 1)
        let path = parts.first.map(String.init) ?? "/"
        let (number, put) = state.withLockedValue { state in
            let number = state.requests.count { $0.path == path }
            state.requests.append(
                Request(
                    path: path,
                    range: head.headers.first(name: "range"),
                    ifRange: head.headers.first(name: "if-range")
                )
            )
            return (number, state.contents[path])
        }
        if let put {
            return (put.bytes, put.replies[min(number, put.replies.count - 1)])
        }
        return table(path, parts.count > 1 ? parts[1] : "", number)
    }
}
