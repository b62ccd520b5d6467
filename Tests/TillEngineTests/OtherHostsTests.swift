import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import Testing
import TillMemoryLedger
import TillModel

@testable import TillEngine

@Suite struct OtherHostsTests {
    /// The first look asks about no queue, and counts the commit of a queue that is followed by the time it is answered. No
    /// other commit follows.
    @Test func aQueueThatIsFollowedDuringALookIsAskedAboutInTheNext() async {
        let changes = ChangeSignal()
        let (_, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let ledger = LookedAtLedger { _ = changes.subscribe(continuation, toQueue: 7) }
        let hosts = OtherHosts(ledger, changes, AgentRegistry())
        await hosts.run()
        #expect(ledger.asked.withLockedValue { $0 } == [[], [7], [7]])
        #expect(changes.isNewest(LookedAtLedger.revision, ofQueue: 7), "its observers were not woken")
    }

    /// The others are told once an account gets its first agent or loses its last.
    @Test func otherHostsAreToldOfAccountsWithAgents() async {
        let agents = AgentRegistry()
        let (_, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var announced = agents.accountChanges.makeAsyncIterator()
        let first = agents.attach(account: "ada", wake: wake)
        #expect(await announced.next() != nil)
        #expect(agents.accounts == ["ada"])
        let second = agents.attach(account: "ada", wake: wake)
        agents.detach(first)
        let other = agents.attach(account: "bob", wake: wake)
        #expect(await announced.next() != nil)
        #expect(agents.accounts == ["ada", "bob"])
        agents.detach(second)
        #expect(await announced.next() != nil)
        #expect(agents.accounts == ["bob"])
        agents.detach(other)
        #expect(await announced.next() != nil)
        #expect(agents.accounts.isEmpty)
    }

    /// A host looks soon for its own observers, for agents, which any commit may ask something, and when it does not know more.
    @Test func onlyWhatConcernsTheHostIsLookedFor() async {
        let changes = ChangeSignal()
        let agents = AgentRegistry()
        let (_, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let ledger = LookedAtLedger {}
        await OtherHosts(ledger, changes, agents).run()
        #expect(ledger.concerns([7]) == false && ledger.concerns([]) == false && ledger.concerns(nil) == true)
        let subscription = changes.subscribe(continuation, toQueue: 7)
        #expect(ledger.concerns([6, 7]) == true && ledger.concerns([6]) == false)
        changes.unsubscribe(subscription)
        #expect(ledger.concerns([6, 7]) == false)
        let agent = agents.attach(account: "uid:1000", wake: continuation)
        #expect(ledger.concerns([6]) == true && ledger.concerns([]) == true)
        agents.detach(agent)
        #expect(ledger.concerns([6]) == false)
    }
}

extension OtherHosts {
    /// With a provider that moves real money, whose settings nobody changes.
    fileprivate init(_ ledger: any Ledger, _ changes: ChangeSignal, _ agents: AgentRegistry) {
        let logger = Logger(label: "test")
        let commits = GroupCommit(ledger: ledger, time: SystemTime(), logger: logger) { _ in }
        self.init(
            LedgerAccess(ledger: ledger, commits: commits, logger: logger),
            changes,
            agents,
            StoreControls(defaults: StoreSettings(), provider: nil, clock: nil),
            time: SystemTime()
        )
    }
}

/// A ledger to which another host has committed before the first of three looks, and which is answered late.
private final class LookedAtLedger: Ledger {
    static let revision: UInt64 = 25
    private static let commits: Int64 = 1

    /// The queues of each look.
    let asked = NIOLockedValueBox<[[Int64]]>([])
    private let memory = MemoryLedger()
    private let isConcerned = NIOLockedValueBox<(@Sendable ([Int64]?) -> Bool)?>(nil)
    private let duringFirstLook: @Sendable () -> Void

    init(duringFirstLook: @escaping @Sendable () -> Void) {
        self.duringFirstLook = duringFirstLook
    }

    var host: String? { "a" }
    var id: UUID { memory.id }
    var numbering: LedgerNumbering { memory.numbering }

    func concerns(_ queues: [Int64]?) -> Bool? {
        isConcerned.withLockedValue { $0?(queues) }
    }

    func followOthers(if isConcerned: @escaping @Sendable ([Int64]?) -> Bool, _ look: () async -> Void) async {
        self.isConcerned.withLockedValue { $0 = isConcerned }
        for _ in 0..<3 {
            await look()
        }
    }

    func news(ofQueues queues: [Int64], after commits: Int64?) async throws -> LedgerNews? {
        let isFirst = asked.withLockedValue { asked in
            asked.append(queues)
            return asked.count == 1
        }
        if isFirst {
            duringFirstLook()
        }
        guard commits != Self.commits else {
            return nil
        }
        let revisions = queues.map { ($0, Self.revision) }
        return LedgerNews(commits: Self.commits, revisions: Dictionary(uniqueKeysWithValues: revisions))
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        try await memory.commit(work)
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await memory.read(work)
    }
}
