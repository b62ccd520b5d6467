import NIOConcurrencyHelpers
import TTRPC
import TillEngine
import TillModel
import TillWire

/// What the daemon keeps of one connection: whose queue it is, and the observers that follow it.
final class Session: Sendable {
    private struct State {
        var queue: QueueName?
        var observations: [UInt32: Observation] = [:]
    }

    /// Nil for a user who may not use the daemon.
    let account: String?
    /// Who calls, as the history of a transaction names it.
    let caller: String
    private let uid: UInt32
    private let isOperator: Bool
    private let isApprover: Bool
    private let state = NIOLockedValueBox(State())

    init(peer: Peer, policy: AccessPolicy) {
        uid = peer.uid
        caller = "uid:\(peer.uid) pid:\(peer.pid)"
        account = policy.account(ofUser: peer.uid)
        isOperator = policy.isOperator(peer.uid)
        isApprover = policy.isApprover(peer.uid)
    }

    /// The account that the connection acts for.
    func authorizedAccount() throws(TillError) -> String {
        guard let account else {
            throw TillError(
                .permissionDenied,
                "User \(uid) may not use this daemon; its operator allows users with --allow-users."
            )
        }
        return account
    }

    /// The queue that Hello opened.
    func queue() throws(TillError) -> QueueName {
        _ = try authorizedAccount()
        guard let queue = state.withLockedValue({ $0.queue }) else {
            throw TillError(.failedPrecondition, "Call Hello first; it names the application.")
        }
        return queue
    }

    /// Whose questions the user answers.
    func approver() throws(TillError) -> Approver {
        Approver(uid: uid, account: try queue().account, approvesForOthers: isApprover)
    }

    /// Refuses whoever is no operator.
    func checkOperator() throws(TillError) {
        _ = try authorizedAccount()
        guard isOperator else {
            throw TillError(
                .permissionDenied,
                "User \(uid) is no operator of this daemon; it names its operators with --operators."
            )
        }
        _ = try queue()
    }

    /// Who does something as an operator, for a reason that has to be given.
    func operatorIdentity(because reason: String) throws(TillError) -> OperatorIdentity {
        try checkOperator()
        guard !reason.isEmpty, reason.utf8.count <= WireProtocol.reasonMaximumBytes else {
            throw TillError(.invalidArgument, "Give a reason of 1 to \(WireProtocol.reasonMaximumBytes) bytes.")
        }
        return OperatorIdentity(uid: uid, reason: reason)
    }

    func open(_ queue: QueueName) throws(TillError) {
        let isFirst = state.withLockedValue { state in
            guard state.queue == nil || state.queue == queue else {
                return false
            }
            state.queue = queue
            return true
        }
        guard isFirst else {
            throw TillError(
                .failedPrecondition,
                "This connection belongs to another application; open a connection for each."
            )
        }
    }

    func insert(_ observation: Observation, id: UInt32) throws(TillError) {
        let isNew = state.withLockedValue { state in
            guard state.observations[id] == nil else {
                return false
            }
            state.observations[id] = observation
            return true
        }
        guard isNew else {
            throw TillError(.alreadyExists, "Observer \(id) of this connection is at work already.")
        }
    }

    func removeObservation(_ id: UInt32) {
        state.withLockedValue { $0.observations[id] = nil }
    }

    func observation(_ id: UInt32) throws(TillError) -> Observation {
        guard let observation = state.withLockedValue({ $0.observations[id] }) else {
            throw TillError(.notFound, "This connection has no observer \(id).")
        }
        return observation
    }
}
