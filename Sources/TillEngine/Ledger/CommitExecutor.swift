/// Where the commits of a ledger run: a thread of their own, which may be held up.
package protocol CommitExecutor: TaskExecutor {
    /// Holds up the thread that calls, which is this executor's, for as short as the system can.
    func pause()
}
