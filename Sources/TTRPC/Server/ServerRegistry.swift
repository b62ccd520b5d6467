import NIOCore
import NIOConcurrencyHelpers

/// What all connections of a server share: who uses how much, which connections there are, and whether it stops.
final class ServerRegistry: Sendable {
    private enum Phase {
        case running
        case stopping(grace: TimeAmount)
    }

    private struct State {
        var accounts: Accounts
        var connections: [UInt64: ServerConnection] = [:]
        var connectionsMade: UInt64 = 0
        var listener: (any Channel)?
        var phase = Phase.running
    }

    private let state: NIOLockedValueBox<State>
    /// What all connections' peers have not read.
    let outbound: OutboundTotal

    init(limits: TTRPCServer.Limits, ownUID: UInt32) {
        state = NIOLockedValueBox(State(accounts: Accounts(limits: limits, ownUID: ownUID)))
        outbound = OutboundTotal(bytesMaximum: limits.outboundBytesInAll, share: limits.outboundShare)
    }

    var usage: TTRPCServer.Usage {
        state.withLockedValue(\.accounts.usage)
    }

    /// Makes a connection for a user, unless a limit is reached or the server stops.
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
            guard state.accounts.admit(connection: id, uid: uid, isServed: isServed, now: now) else { return nil }
            let connection = make(id)
            state.connections[id] = connection
            return connection
        }
    }

    /// Gives back all that a connection held.
    func remove(_ connection: ServerConnection) {
        state.withLockedValue { state in
            state.accounts.remove(connection: connection.id)
            state.connections[connection.id] = nil
        }
    }

    /// The connections that are there.
    var connections: [ServerConnection] {
        state.withLockedValue { Array($0.connections.values) }
    }

    /// Counts a request; throws when its user makes too many.
    func countRequest(connection id: UInt64, now: NIODeadline) throws(RPCError) {
        if let error = state.withLockedValue({ $0.accounts.countRequest(connection: id, now: now) }) { throw error }
    }

    /// Counts the bytes of a frame that begins; false when there are too many.
    func admitFrame(connection id: UInt64, bytes: Int) -> Bool {
        state.withLockedValue { $0.accounts.admitFrame(connection: id, bytes: bytes) }
    }

    /// Gives back the bytes of a frame that is dealt with.
    func releaseFrame(connection id: UInt64, bytes: Int) {
        state.withLockedValue { $0.accounts.releaseFrame(connection: id, bytes: bytes) }
    }

    /// Counts a stream; throws when there are too many.
    func openStream(connection id: UInt64) throws(RPCError) {
        if let error = state.withLockedValue({ $0.accounts.openStream(connection: id) }) { throw error }
    }

    /// Gives back a stream, and the bytes of the frame that opened it.
    func closeStream(connection id: UInt64, frameBytes: Int) {
        state.withLockedValue { state in
            state.accounts.closeStream(connection: id)
            state.accounts.releaseFrame(connection: id, bytes: frameBytes)
        }
    }

    /// Notes what accepts connections; false when the server stops and it is to be closed.
    func setListener(_ listener: any Channel) -> Bool {
        state.withLockedValue { state in
            guard case .running = state.phase else { return false }
            state.listener = listener
            return true
        }
    }

    /// Stops accepting, and tells each connection to end.
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
