import NIOCore
import NIOConcurrencyHelpers

/// The state that all connections of a server share: the quotas, the open connections, and whether the server is
/// shutting down.
final class ServerRegistry: Sendable {
    private enum Phase {
        case running
        case stopping(grace: TimeAmount)
    }

    private struct State {
        var quotas: ResourceQuotas
        var connections: [UInt64: ServerConnection] = [:]
        var connectionsMade: UInt64 = 0
        var listener: (any Channel)?
        var phase = Phase.running
    }

    private let state: NIOLockedValueBox<State>
    /// The bytes that the peers of all connections have not read.
    let outbound: OutboundTotal

    init(limits: TTRPCServer.Limits, ownUID: UInt32) {
        state = NIOLockedValueBox(State(quotas: ResourceQuotas(limits: limits, ownUID: ownUID)))
        outbound = OutboundTotal(bytesMaximum: limits.outboundBytesInAll, share: limits.outboundShare)
    }

    var usage: TTRPCServer.Usage {
        state.withLockedValue(\.quotas.usage)
    }

    var totals: TTRPCServer.Totals {
        state.withLockedValue(\.quotas.totals)
    }

    /// Creates a connection for a user, unless a limit has been reached or the server is shutting down.
    func admit(
        uid: UInt32,
        isServed: Bool = true,
        now: NIODeadline,
        make: (UInt64) -> ServerConnection
    ) -> ServerConnection? {
        state.withLockedValue { state in
            guard case .running = state.phase else { return nil }
            state.connectionsMade += 1
            let id = state.connectionsMade
            guard state.quotas.admit(connection: id, uid: uid, isServed: isServed, now: now) else { return nil }
            let connection = make(id)
            state.connections[id] = connection
            return connection
        }
    }

    /// Releases everything that a connection held.
    func remove(_ connection: ServerConnection) {
        state.withLockedValue { state in
            state.quotas.remove(connection: connection.id)
            state.connections[connection.id] = nil
        }
    }

    /// The open connections.
    var connections: [ServerConnection] {
        state.withLockedValue { Array($0.connections.values) }
    }

    /// Counts a request; throws if its user exceeds the request rate.
    func countRequest(connection id: UInt64, now: NIODeadline) throws(RPCError) {
        if let error = state.withLockedValue({ $0.quotas.countRequest(connection: id, now: now) }) { throw error }
    }

    /// Counts the bytes of a frame when its header arrives. Returns false if a limit has been reached.
    func admitFrame(connection id: UInt64, bytes: Int) -> Bool {
        state.withLockedValue { $0.quotas.admitFrame(connection: id, bytes: bytes) }
    }

    /// Releases the bytes of a handled frame.
    func releaseFrame(connection id: UInt64, bytes: Int) {
        state.withLockedValue { $0.quotas.releaseFrame(connection: id, bytes: bytes) }
    }

    /// Counts a stream; throws if a limit has been reached.
    func openStream(connection id: UInt64) throws(RPCError) {
        if let error = state.withLockedValue({ $0.quotas.openStream(connection: id) }) { throw error }
    }

    /// Releases a stream and the bytes of the frame that opened it.
    func closeStream(connection id: UInt64, frameBytes: Int) {
        state.withLockedValue { $0.quotas.closeStream(connection: id, frameBytes: frameBytes) }
    }

    /// Registers the listening channel. Returns false if the server is shutting down and the channel must be closed.
    func setListener(_ listener: any Channel) -> Bool {
        state.withLockedValue { state in
            guard case .running = state.phase else { return false }
            state.listener = listener
            return true
        }
    }

    /// Stops accepting and tells each connection to shut down.
    func shutDown(grace: TimeAmount) {
        let (listener, connections) = state.withLockedValue { state in
            state.phase = .stopping(grace: grace)
            defer { state.listener = nil }
            return (state.listener, Array(state.connections.values))
        }
        listener?.close(promise: nil)
        for connection in connections {
            _ = connection.mailbox.post(.shutDown(grace))
        }
    }
}
