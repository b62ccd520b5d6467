import TillModel

/// Notices what the daemons of other hosts have committed to a shared ledger: wakes observers and agents here, and puts changed
/// settings in force. Tells them which accounts have agents here.
struct OtherHosts: Sendable {
    /// The time from one look to the next at least, so that hosts which commit often cost few looks.
    static let spacing = Duration.milliseconds(4)
    /// How long another host is given at once to end work that is due.
    static let pause = Duration.milliseconds(20)

    private let access: LedgerAccess
    private let changes: ChangeSignal
    private let agents: AgentRegistry
    private let controls: StoreControls
    private let time: any TimeSource

    init(
        _ access: LedgerAccess,
        _ changes: ChangeSignal,
        _ agents: AgentRegistry,
        _ controls: StoreControls,
        time: any TimeSource
    ) {
        self.access = access
        self.changes = changes
        self.agents = agents
        self.controls = controls
        self.time = time
    }

    private var ledger: any Ledger {
        access.ledger
    }

    /// Works until its task is cancelled; returns at once if no other host uses the ledger.
    func run() async {
        guard ledger.isShared else {
            return
        }
        // Cancelled with the looks.
        async let _: Void = announceAgents()
        await look()
    }

    /// A host that is not told, because the ledger cannot be written, is told when the next agent comes or goes.
    private func announceAgents() async {
        for await _ in agents.accountChanges {
            try? await ledger.announceAgents(of: agents.accounts)
        }
    }

    private func look() async {
        var commits: Int64?
        var asked: Set<Int64> = []
        await ledger.followOthers(if: isConcerned) {
            let followed = changes.followed
            // The last look may have counted commits to a queue that it did not ask about, because nobody followed it then.
            let after = followed.isSubset(of: asked) ? commits : nil
            // While the ledger cannot be read, commits fail, too, and say why.
            if let news = try? await ledger.news(ofQueues: Array(followed), after: after) {
                commits = news.commits
                asked = followed
                changes.signal(news.revisions)
                agents.wakeAll()
                try? await followSettings()
            }
            try? await time.sleep(for: Self.spacing)
        }
    }

    /// Settings are put in force before a commit's commands and in the order of commits: so a commit without commands does.
    private func followSettings() async throws(TillError) {
        guard controls.provider != nil else {
            return
        }
        let table = try await access.read { try $0.settings() }
        if !controls.isInForce(table) {
            try await access.commit(isOwn: true) { _ in .success(()) }
        }
    }

    /// Gives another host a moment to end work that is due.
    func pause() async {
        try? await time.sleep(for: Self.pause)
    }

    /// Whether commits to these queues have news for somebody here: any may have a question for an agent.
    private func isConcerned(_ queues: [Int64]?) -> Bool {
        agents.count > 0 || queues?.contains(where: changes.isFollowed) ?? true
    }
}
