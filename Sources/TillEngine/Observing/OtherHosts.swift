import TillModel

/// Notices what the daemons of other hosts have committed to a shared ledger, and wakes observers and agents here.
struct OtherHosts: Sendable {
    /// How often it looks: a change reaches the observers of another host after half of it, on average.
    static let interval = Duration.milliseconds(20)

    let ledger: any Ledger
    let changes: ChangeSignal
    let agents: AgentRegistry
    let time: any TimeSource

    /// Looks until its task is cancelled; returns at once if no other host uses the ledger.
    func run() async {
        guard ledger.isShared else {
            return
        }
        var commits: Int64?
        while !Task.isCancelled {
            // While the ledger cannot be read, commits fail, too, and say why.
            if let news = try? await ledger.news(ofQueues: changes.followed, after: commits) {
                commits = news.commits
                changes.signal(news.revisions)
                agents.wakeAll()
            }
            try? await time.sleep(for: Self.interval)
        }
    }
}
