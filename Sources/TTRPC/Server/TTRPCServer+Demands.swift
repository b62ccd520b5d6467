import NIOCore

extension TTRPCServer.Limits {
    /// Of a connection that is being admitted: the socket, which is not counted as a connection yet or no more; the
    /// process that connected; and its root with a file in it, or a file of `/proc`.
    static let descriptorsOfEntering = 4
    /// Of an event loop: what it waits with, what wakes it, and its timer.
    static let descriptorsOfLoop = 3

    /// The most descriptors that a server with these limits has open at the same time, without the listening socket:
    /// those of all connections that it admitted or is admitting, and of its event loops.
    package var descriptorsMaximum: Int {
        connectionsInAll + AcceptPause.enteringMaximum * Self.descriptorsOfEntering
            + NIOSingletons.groupLoopCountSuggestion * Self.descriptorsOfLoop
    }
}

extension TTRPCServer {
    /// The threads of the event loops, and those that may block. The process ends if one of them cannot be made.
    package static var threadsMaximum: Int {
        NIOSingletons.groupLoopCountSuggestion + NIOSingletons.blockingPoolThreadCountSuggestion
    }
}
