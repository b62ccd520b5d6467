import NIOConcurrencyHelpers

#if MUTANTS
    import Mutants
#endif

/// Counts the bytes that a connection's peer has not read yet, and applies backpressure to the streams while there are
/// too many.
///
/// The budget is full when the connection reaches its limit, or when the total is reached and this connection has used
/// its share. The event loop adds and removes bytes, and admits answers; messages wait in `reserve`, on the tasks of
/// their calls. Waiters resume once half the budget is free; no new message overtakes them. The count can exceed the
/// limit by one message and by the few bytes of calls that end early.
final class OutboundBudget: Sendable {
    /// Resumes a task, or tells the event loop to try an answer again.
    typealias Waiter = @Sendable () -> Void

    /// What happens to an answer.
    enum Admission {
        /// Its bytes are counted.
        case counted
        /// It is tried again once there is room.
        case waiting
        /// Too many answers are waiting for peers that do not read.
        case refused
    }

    private struct State {
        var bytes = 0
        /// Reserved for messages that are being created.
        var claimed = 0
        /// Of answers that wait: they count in the total only.
        var held = 0
        var waiters: [UInt64: Waiter] = [:]
        var waitersMade: UInt64 = 0
        var open: Set<UInt32> = []
        var ended: [UInt32: RPCError] = [:]
        var closed: RPCError?

        /// The reason a stream may not write, if there is one.
        func refusal(of streamID: UInt32) -> RPCError? {
            if let error = closed ?? ended[streamID] { return error }
            return open.contains(streamID) ? nil : RPCError(code: .unavailable, message: "the stream has ended")
        }

        /// The unread bytes plus the bytes reserved for messages that are being created.
        var expected: Int { bytes + claimed }

        /// The key of a new waiter.
        mutating func makeToken() -> UInt64 {
            waitersMade += 1
            return waitersMade
        }

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

    /// Creates a budget of `bytesMaximum` unread bytes, limited also by the total of all connections.
    init(bytesMaximum: Int, total: OutboundTotal) {
        self.bytesMaximum = bytesMaximum
        self.total = total
    }

    deinit {
        total.add(-state.withLockedValue { $0.expected + $0.held })
    }

    /// Whether the budget is used up.
    var isFull: Bool {
        state.withLockedValue { isFull($0.bytes) }
    }

    /// Whether the connection has used its share, so that it is held back when the total is reached.
    var isOverShare: Bool {
        state.withLockedValue { $0.bytes >= min(bytesMaximum, total.share) }
    }

    /// The number of waiting messages and answers.
    var waitersCount: Int {
        state.withLockedValue(\.waiters.count)
    }

    /// Allows a stream to write.
    func open(_ streamID: UInt32) {
        state.withLockedValue { state in _ = state.open.insert(streamID) }
    }

    /// Ends a stream: its waiting writers throw `error`.
    func end(_ streamID: UInt32, _ error: RPCError) {
        resume { state in
            guard state.open.contains(streamID) else { return [] }
            state.ended[streamID] = error
            return state.takeWaiters()
        }
    }

    /// Removes a stream whose handler has returned.
    func forget(_ streamID: UInt32) {
        state.withLockedValue { state in
            state.open.remove(streamID)
            state.ended[streamID] = nil
        }
    }

    /// Ends all streams, including future ones, and releases the answers that wait.
    func close(_ error: RPCError) {
        resume { state in
            state.closed = error
            total.add(-state.held)
            state.held = 0
            return state.takeWaiters()
        }
    }

    /// Counts bytes that are written without waiting.
    func add(_ count: Int) {
        state.withLockedValue { $0.bytes += count }
        total.add(count)
    }

    /// Subtracts bytes that were read or dropped, and resumes the waiters once half the budget is free.
    ///
    /// A connection that is held back because of the total is checked again whenever its own peer reads.
    func remove(_ count: Int) {
        total.add(-count)
        resume { state in
            state.bytes -= count
            return takeWaitersIfThereIsRoom(&state)
        }
    }

    /// Releases the reservation of a message that has been created.
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

    /// Waits until the budget has room, then counts the bytes. Throws if the message's stream ends.
    func reserve(_ count: Int, for streamID: UInt32) async throws(RPCError) {
        try await reserve(\.bytes, count, for: streamID)
    }

    /// Waits until the budget has room, then reserves bytes for a message that is still to be created.
    func claim(_ count: Int, for streamID: UInt32) async throws(RPCError) {
        try await reserve(\.claimed, count, for: streamID)
    }

    private func reserve(
        _ kind: WritableKeyPath<State, Int>,
        _ count: Int,
        for streamID: UInt32
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

    /// Counts a call's answer if the budget has room. Otherwise holds it, if not too many answers are already waiting for
    /// peers that do not read.
    ///
    /// - Parameters:
    ///   - hasWaited: Whether the answer is held already.
    ///   - makeRetry: Makes the waiter that tries the answer again, if it has to wait.
    func admit(answer count: Int, hasWaited: Bool, retryingWith makeRetry: () -> Waiter) -> Admission {
        state.withLockedValue { state in
            guard isFull(state.expected) else {
                state.bytes += count
                if hasWaited { state.held -= count } else { total.add(count) }
                return .counted
            }
            if !hasWaited {
                guard total.hold(count) else { return .refused }
                state.held += count
            }
            state.waiters[state.makeToken()] = makeRetry()
            return .waiting
        }
    }

    private func attempt(
        _ kind: WritableKeyPath<State, Int>,
        _ count: Int,
        for streamID: UInt32,
        hasWaited: Bool
    ) -> Attempt {
        state.withLockedValue { state in
            if let error = state.refusal(of: streamID) { return .refused(error) }
            #if MUTANTS
                let mustWait = mustWait(state, hasWaited) && !Mutant.unboundedObserver.isPlanted
            #else
                let mustWait = mustWait(state, hasWaited)
            #endif
            guard !mustWait else { return .full }
            state[keyPath: kind] += count
            total.add(count)
            return .reserved
        }
    }

    /// Whether the budget is full, or a new message would overtake waiting ones. Without the second condition, streams
    /// that keep writing could hold more than half the budget permanently and starve the waiters.
    private func mustWait(_ state: State, _ hasWaited: Bool) -> Bool {
        isFull(state.expected) || !hasWaited && !state.waiters.isEmpty
    }

    private func waitForChange(_ streamID: UInt32, hasWaited: Bool) async throws(RPCError) {
        let token = state.withLockedValue { $0.makeToken() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let mayWait = state.withLockedValue { state in
                    let mustWait = state.refusal(of: streamID) == nil && mustWait(state, hasWaited)
                    guard mustWait, !Task.isCancelled else { return false }
                    state.waiters[token] = { waiter.resume() }
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
        waiters.forEach { $0() }
    }
}

/// Counts the bytes that the peers of all connections have not read yet, including answers that wait for the outbound
/// budget.
final class OutboundTotal: Sendable {
    /// The unread bytes that each connection may always have, even when the total is exceeded.
    let share: Int

    private let bytesMaximum: Int
    private let bytes = NIOLockedValueBox(0)

    init(bytesMaximum: Int, share: Int) {
        self.bytesMaximum = bytesMaximum
        self.share = share
    }

    /// Whether the total has been reached.
    var isFull: Bool {
        bytes.withLockedValue { $0 >= bytesMaximum }
    }

    /// Counts a waiting answer. Returns false, without counting it, if the total has been reached.
    func hold(_ count: Int) -> Bool {
        bytes.withLockedValue { bytes in
            guard bytes < bytesMaximum else { return false }
            bytes += count
            return true
        }
    }

    func add(_ count: Int) {
        bytes.withLockedValue { $0 += count }
    }
}
