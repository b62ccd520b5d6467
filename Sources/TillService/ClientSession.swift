import NIOConcurrencyHelpers
import TTRPC
import TillEngine
import TillModel
import TillWire

/// The daemon's state of one connection: its queue, its named streams and its reconciliation.
final class ClientSession: Sendable {
    /// The queue that Hello opened, and the caller's rights in it.
    private struct Opened {
        var queue: QueueName
        var grant: AccessGrant
    }

    private struct State {
        var opened: Opened?
        var streams = NamedStreams()
        var reconciliation: LedgerComparison?
        /// The token of the reconciliation's next page. Another reconciliation has other tokens.
        var pageToken: UInt64 = 0
    }

    /// The caller, as a transaction's history names it.
    let caller: String
    private let identity: Caller
    private let policy: AccessPolicy
    private let state = NIOLockedValueBox(State())

    init(caller: Caller, policy: AccessPolicy) {
        self.caller = "uid:\(caller.uid) pid:\(caller.pid)"
        identity = caller
        self.policy = policy
    }

    /// Refuses a caller that may not use the daemon at all.
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

    /// The user as an approver. A sandboxed application may not approve its own requests.
    func approver() throws(TillError) -> Approver {
        let opened = try opened()
        guard !opened.grant.isConfined else {
            throw TillError(.permissionDenied, "A process in a sandbox may not answer requests.")
        }
        return Approver(
            uid: identity.uid,
            account: opened.queue.account,
            approvesForOthers: opened.grant.role >= .approver
        )
    }

    /// Refuses a caller that is not an operator.
    func checkOperator() throws(TillError) {
        guard try opened().grant.role == .operator else {
            throw policy.refusal(of: identity, as: .operator)
        }
    }

    /// The caller as an operator with a reason, which is mandatory.
    func operatorIdentity(because reason: String) throws(TillError) -> OperatorIdentity {
        try checkOperator()
        guard !reason.isEmpty, reason.utf8.count <= WireProtocol.reasonMaximumBytes else {
            throw TillError(.invalidArgument, "Give a reason of 1 to \(WireProtocol.reasonMaximumBytes) bytes.")
        }
        return OperatorIdentity(uid: identity.uid, reason: reason)
    }

    /// Refuses an operator who may not have the keys that sign receipts.
    func checkMayHaveKeys() throws(TillError) {
        guard policy.mayHaveKeys(identity) else {
            throw TillError(
                .permissionDenied,
                "Only root and the daemon's own user get the keys that sign receipts: take a backup without keys."
            )
        }
    }

    /// Opens and returns the application's queue, if the policy allows it.
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
    /// silently.
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

    /// Ends the stream of a name with CANCELLED; returns whether it existed.
    func endStream(_ name: StreamName) -> Bool {
        let stream = state.withLockedValue { $0.streams.remove(name) }
        stream?.call.end(RPCError(code: .cancelled, message: "The call was cancelled."))
        return stream != nil
    }

    /// The next page of the connection's reconciliation. A page that could not be had can be asked for again.
    ///
    /// - Parameter token: The page's token; nil begins another reconciliation.
    func reconcile(_ token: UInt64?, _ engine: PaymentEngine) async throws(TillError) -> ReconciliationPage {
        let stored = state.withLockedValue { $0.pageToken == token ? $0.reconciliation : nil }
        guard var comparison = token == nil ? engine.reconciliation() : stored else {
            throw TillError(
                .failedPrecondition,
                "This connection has no reconciliation with the page \(token ?? 0); begin another one."
            )
        }
        var page = try await comparison.nextPage()
        page.next = state.withLockedValue { state in
            state.reconciliation = comparison.isAtEnd ? nil : comparison
            state.pageToken += 1
            return comparison.isAtEnd ? nil : state.pageToken
        }
        return page
    }

    func observation(_ id: UInt32) throws(TillError) -> Observation {
        guard let observation = state.withLockedValue({ $0.streams[.observer(id)] })?.observation else {
            throw TillError(.notFound, "This connection has no observer \(id).")
        }
        return observation
    }
}

/// The name that a client gives a stream in the request that opens it.
enum StreamName: Hashable {
    case observer(UInt32)
    case watch(UInt32)
}

/// The streams of one connection by the names in their requests, so that a client can end each of them. Not every
/// client library sends the metadata that names a call.
struct NamedStreams {
    struct Stream {
        var call: ServerCall
        /// The observation of an observer's stream; nil for a watch.
        var observation: Observation?
    }

    private var streams: [StreamName: Stream] = [:]

    subscript(name: StreamName) -> Stream? {
        streams[name]
    }

    /// Registers a stream under its name.
    ///
    /// - Returns: The older stream of this name, which the caller ends: its client has left it or lost its response.
    mutating func insert(_ stream: Stream, as name: StreamName) -> Stream? {
        streams.updateValue(stream, forKey: name)
    }

    /// Removes the stream of the name.
    mutating func remove(_ name: StreamName) -> Stream? {
        streams.removeValue(forKey: name)
    }

    /// Removes the stream of this call, unless a newer one has its name.
    mutating func remove(_ name: StreamName, of call: ServerCall) {
        if streams[name]?.call.streamID == call.streamID {
            streams[name] = nil
        }
    }
}
