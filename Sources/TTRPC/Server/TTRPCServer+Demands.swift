import NIOCore

extension TTRPCServer.Limits {
    /// The descriptors of a connection that awaits admission: its socket, which is not counted as a connection at that
    /// time; the handle on the process; and the process's root directory with a file in it, or a file of `/proc`.
    static let descriptorsPerPending = 4
    /// The descriptors of an event loop: epoll, eventfd and timer.
    static let descriptorsPerLoop = 3

    /// The maximum number of descriptors that a server with these limits has open at the same time, without the
    /// listening socket: those of all admitted and pending connections and of its event loops.
    package var descriptorsMaximum: Int {
        connectionsInAll + AcceptPause.pendingMaximum * Self.descriptorsPerPending
            + NIOSingletons.groupLoopCountSuggestion * Self.descriptorsPerLoop
    }
}

extension TTRPCServer {
    /// The number of event loop threads and blocking threads. The process aborts if one of them cannot be created.
    package static var threadsMaximum: Int {
        NIOSingletons.groupLoopCountSuggestion + NIOSingletons.blockingPoolThreadCountSuggestion
    }
}
