import NIOConcurrencyHelpers
import TTRPC
import TillEngine
import TillModel
import TillWire

/// What the daemon keeps of one connection: whose queue it is, and the streams that have a name.
final class Session: Sendable {
    /// What Hello opened.
    private struct Opened {
        var queue: QueueName
        var grant: AccessGrant
    }

    private struct State {
        var opened: Opened?
        var streams = NamedStreams()
    }

    /// Who calls, as the history of a transaction names it.
    let caller: String
    private let identity: Caller
    private let policy: AccessPolicy
    private let state = NIOLockedValueBox(State())

    init(caller: Caller, policy: AccessPolicy) {
        self.caller = "uid:\(caller.uid) pid:\(caller.pid)"
        identity = caller
        self.policy = policy
    }

    /// Refuses whoever may not use the daemon at all.
    func checkAdmitted() throws(TillError) {
        try policy.check(identity)
    }

    /// The user who calls.
    var user: UInt32 {
        identity.uid
    }

    /// The queue that Hello opened.
    func queue() throws(TillError) -> QueueName {
        try opened().queue
    }

    /// Whose questions the user answers. An application in a sandbox does not consent to what it asks for itself.
    func approver() throws(TillError) -> Approver {
        let opened = try opened()
        guard !opened.grant.isConfined else {
            throw TillError(.permissionDenied, "This process is in a sandbox, and answers for nobody.")
        }
        return Approver(
            uid: identity.uid,
            account: opened.queue.account,
            approvesForOthers: opened.grant.role >= .approver
        )
    }

    /// Refuses whoever is no operator.
    func checkOperator() throws(TillError) {
        guard try opened().grant.role == .operator else {
            throw policy.refusal(of: identity, as: .operator)
        }
    }

    /// Who does something as an operator, for a reason that has to be given.
    func operatorIdentity(because reason: String) throws(TillError) -> OperatorIdentity {
        try checkOperator()
        guard !reason.isEmpty, reason.utf8.count <= WireProtocol.reasonMaximumBytes else {
            throw TillError(.invalidArgument, "Give a reason of 1 to \(WireProtocol.reasonMaximumBytes) bytes.")
        }
        return OperatorIdentity(uid: identity.uid, reason: reason)
    }

    /// Opens the application's queue, as far as the policy lets the caller; returns it.
    func open(_ application: String) throws(TillError) -> QueueName {
        let grant = try policy.grant(to: identity, for: application)
        let opened = Opened(queue: QueueName(application: application, account: grant.account), grant: grant)
        let isFirst = state.withLockedValue { state in
            guard state.opened == nil || state.opened?.queue == opened.queue else {
                return false
            }
            state.opened = opened
            return true
        }
        guard isFirst else {
            throw TillError(
                .failedPrecondition,
                "This connection belongs to another application; open a connection for each."
            )
        }
        return opened.queue
    }

    private func opened() throws(TillError) -> Opened {
        guard let opened = state.withLockedValue({ $0.opened }) else {
            try checkAdmitted()
            throw TillError(.failedPrecondition, "Call Hello first; it names the application.")
        }
        return opened
    }

    /// Runs a stream under a name. An older stream of the same name ends with CANCELLED: its client may have left it
    /// without a word.
    func withStream(
        _ name: StreamName,
        _ call: ServerCall,
        delivering observation: Observation? = nil,
        _ body: () async throws -> Void
    ) async throws {
        let stream = NamedStreams.Stream(call: call, observation: observation)
        let older = state.withLockedValue { $0.streams.insert(stream, as: name) }
        older?.call.end(RPCError(code: .cancelled, message: "A newer stream of the same name replaced this one."))
        defer { state.withLockedValue { $0.streams.remove(name, of: call) } }
        try await body()
    }

    /// Ends the stream of a name with CANCELLED; says whether there was one.
    func endStream(_ name: StreamName) -> Bool {
        let stream = state.withLockedValue { $0.streams.remove(name) }
        stream?.call.end(RPCError(code: .cancelled, message: "The call was cancelled."))
        return stream != nil
    }

    func observation(_ id: UInt32) throws(TillError) -> Observation {
        guard let observation = state.withLockedValue({ $0.streams[.observer(id)] })?.observation else {
            throw TillError(.notFound, "This connection has no observer \(id).")
        }
        return observation
    }
}
