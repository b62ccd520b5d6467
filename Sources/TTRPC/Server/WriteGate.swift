import NIOConcurrencyHelpers

#if MUTANTS
    import Mutants
#endif

/// Counts the bytes that a connection's peer has not read yet, and holds back the streams while there are too many.
///
/// There are too many when the connection has its most, or when all connections have theirs and this one more than its
/// share. The event loop adds and removes bytes; messages and answers wait for room in `reserve`, on their calls' tasks. No
/// message passes those that wait, which half of the room being free lets go on. The count can pass the cap by one of them,
/// and by the few bytes of calls that end early.
final class WriteGate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var bytes = 0
        /// For messages that are being made.
        var claimed = 0
        var waiters: [UInt64: Waiter] = [:]
        var waitersMade: UInt64 = 0
        var open: Set<UInt32> = []
        var ended: [UInt32: RPCError] = [:]
        var closed: RPCError?

        /// Why a stream may not write, if so.
        func refusal(of streamID: UInt32?) -> RPCError? {
            guard closed == nil, let streamID else { return closed }
            if let error = ended[streamID] { return error }
            return open.contains(streamID) ? nil : RPCError(code: .unavailable, message: "the stream has ended")
        }

        /// With the messages that are being made, which will be bytes.
        var expected: Int { bytes + claimed }

        mutating func takeWaiters() -> [Waiter] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private enum Attempt {
        case reserved
        case refused(RPCError)
        case full
    }

    private let state = NIOLockedValueBox(State())
    private let bytesMaximum: Int
    private let total: OutboundTotal

    /// Makes a gate that is open while fewer than `bytesMaximum` bytes wait, and not too many in all.
    init(bytesMaximum: Int, total: OutboundTotal) {
        self.bytesMaximum = bytesMaximum
        self.total = total
    }

    deinit {
        total.add(-state.withLockedValue(\.expected))
    }

    /// Whether as many bytes wait as may.
    var isFull: Bool {
        state.withLockedValue { isFull($0.bytes) }
    }

    /// Whether the bytes that wait would be too many if the other connections had many.
    var isOverShare: Bool {
        state.withLockedValue { $0.bytes >= min(bytesMaximum, total.share) }
    }

    /// How many writers wait.
    var waitersCount: Int {
        state.withLockedValue(\.waiters.count)
    }

    /// Lets a stream write from now on.
    func open(_ streamID: UInt32) {
        state.withLockedValue { state in _ = state.open.insert(streamID) }
    }

    /// Ends a stream: whoever waits to write on it throws `error`.
    func end(_ streamID: UInt32, _ error: RPCError) {
        resume { state in
            guard state.open.contains(streamID) else { return [] }
            state.ended[streamID] = error
            return state.takeWaiters()
        }
    }

    /// Forgets a stream whose handler has returned.
    func forget(_ streamID: UInt32) {
        state.withLockedValue { state in
            state.open.remove(streamID)
            state.ended[streamID] = nil
        }
    }

    /// Ends all streams, those to come included.
    func close(_ error: RPCError) {
        resume { state in
            state.closed = error
            return state.takeWaiters()
        }
    }

    /// Counts bytes that are written without waiting.
    func add(_ count: Int) {
        state.withLockedValue { $0.bytes += count }
        total.add(count)
    }

    /// Takes away bytes that are read or dropped, and lets writers go on once half is free.
    ///
    /// A connection over its share that waits for the others is looked at whenever its own peer reads.
    func remove(_ count: Int) {
        total.add(-count)
        resume { state in
            state.bytes -= count
            return takeWaitersIfThereIsRoom(&state)
        }
    }

    /// Takes away what a message counted for that is made now.
    func removeClaim(_ count: Int) {
        total.add(-count)
        resume { state in
            state.claimed -= count
            return takeWaitersIfThereIsRoom(&state)
        }
    }

    private func takeWaitersIfThereIsRoom(_ state: inout State) -> [Waiter] {
        let hasRoom = state.expected <= bytesMaximum / 2 && !isFull(state.expected)
        return hasRoom ? state.takeWaiters() : []
    }

    /// Counts bytes after waiting until there is room for them; those of a stream's message only until it ends.
    func reserve(_ count: Int, for streamID: UInt32? = nil) async throws(RPCError) {
        try await reserve(\.bytes, count, for: streamID)
    }

    /// Counts a message of a stream that is yet to be made, after waiting as for one that is there.
    func claim(_ count: Int, for streamID: UInt32) async throws(RPCError) {
        try await reserve(\.claimed, count, for: streamID)
    }

    private func reserve(
        _ kind: WritableKeyPath<State, Int>,
        _ count: Int,
        for streamID: UInt32?
    ) async throws(RPCError) {
        var hasWaited = false
        while true {
            switch attempt(kind, count, for: streamID, hasWaited: hasWaited) {
            case .reserved: return
            case .refused(let error): throw error
            case .full: try await waitForChange(streamID, hasWaited: hasWaited)
            }
            hasWaited = true
        }
    }

    /// Counts a call's answer after waiting until there is room for it.
    ///
    /// - Returns: False, and nothing is counted, when too many answers wait already, which is too much to hold for who does
    ///   not read.
    func reserve(answer count: Int) async throws(RPCError) -> Bool {
        switch attempt(\.bytes, count, for: nil, hasWaited: false) {
        case .reserved: return true
        case .refused(let error): throw error
        case .full: break
        }
        guard total.hold(count) else { return false }
        defer { total.add(-count) }
        try await reserve(count)
        return true
    }

    private func attempt(
        _ kind: WritableKeyPath<State, Int>,
        _ count: Int,
        for streamID: UInt32?,
        hasWaited: Bool
    ) -> Attempt {
        state.withLockedValue { state in
            if let error = state.refusal(of: streamID) { return .refused(error) }
            #if MUTANTS
                let mustWait = mustWait(state, streamID, hasWaited) && !Mutant.unboundedObserver.isPlanted
            #else
                let mustWait = mustWait(state, streamID, hasWaited)
            #endif
            guard !mustWait else { return .full }
            state[keyPath: kind] += count
            total.add(count)
            return .reserved
        }
    }

    /// Whether there is no room, or a message would pass others that wait for it: those that come again and again could keep
    /// more than half of it taken for ever.
    private func mustWait(_ state: State, _ streamID: UInt32?, _ hasWaited: Bool) -> Bool {
        isFull(state.expected) || streamID != nil && !hasWaited && !state.waiters.isEmpty
    }

    private func waitForChange(_ streamID: UInt32?, hasWaited: Bool) async throws(RPCError) {
        let token = state.withLockedValue { state in
            state.waitersMade += 1
            return state.waitersMade
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let mayWait = state.withLockedValue { state in
                    let mustWait = state.refusal(of: streamID) == nil && mustWait(state, streamID, hasWaited)
                    guard mustWait, !Task.isCancelled else { return false }
                    state.waiters[token] = waiter
                    return true
                }
                if !mayWait { waiter.resume() }
            }
        } onCancel: {
            resume { state in state.waiters.removeValue(forKey: token).map { [$0] } ?? [] }
        }
        if Task.isCancelled { throw RPCError(code: .cancelled, message: "the task was cancelled") }
    }

    private func isFull(_ bytes: Int) -> Bool {
        bytes >= bytesMaximum || bytes >= total.share && total.isFull
    }

    private func resume(_ change: (inout State) -> [Waiter]) {
        let waiters = state.withLockedValue { state in change(&state) }
        waiters.forEach { $0.resume() }
    }
}
