import FoundationEssentials
import TestValues
import TillEngine
import TillInvariants
import TillMemoryLedger
import TillModel

/// All parts of a simulation.
// One thread runs the whole simulation, so no two threads access this.
final class World: @unchecked Sendable {
    let scheduler: Scheduler
    let clock = WallClock()
    let profile: Profile
    let disk: Disk
    let signer = SimulatedSigner()
    /// The planted fault, if any.
    let flaw: Flaw?
    private(set) lazy var book = ProviderBook(world: self)
    private(set) lazy var shoppers = (0..<profile.shoppers).map { Shopper($0, world: self) }
    /// The daemons that run, by their hosts.
    private var daemons: [Int: Daemon] = [:]
    private var parent: Parent?
    private var storeOperator: StoreOperator?
    /// Acts of the operator and the parent, by queue.
    private var operatorEntries: [QueueName: [FactEntry]] = [:]
    /// Operator acts that applications were notified of.
    private(set) var notified: Set<StoreEvent> = []
    /// Whether faults occur at present.
    private(set) var areFaultsOn = true
    /// Whether shoppers must begin no new work.
    private(set) var isSettling = false
    private var settlingSince: Duration?
    /// Whether any request arrived twice.
    private(set) var hasCopies = false
    /// Forbidden events, apart from those that a verdict finds.
    private(set) var violations: [String] = []
    private(set) var restarts = 0
    private(set) var pauses = 0
    /// Pauses that have not ended, or whose daemons may still have notices to send.
    private var pausesToOutlast = 0
    /// How long after its pause a daemon has sent its notices.
    private static let noticesTime = Duration.seconds(1)
    /// For how long the next daemon that commits is to stand still.
    private var pauseInNextTurn: Duration?
    /// Answered advances of the store's clock after which the remaining work was examined.
    var advances = ExaminedAdvances()
    private let trace: Trace
    private var stamps: UInt64 = 0

    init(seed: UInt64, hosts: Int, flaw: Flaw?, trace: Trace) {
        self.trace = trace
        self.flaw = flaw
        scheduler = Scheduler(seed: seed, trace: trace)
        profile = Profile(hosts: hosts, random: &scheduler.random)
        var numbers = SplitMix64(seed: seed)
        let numbering = LedgerNumbering.drawn(using: &numbers)
        disk = Disk(MemoryLedger(id: UUID(high: 1, low: seed), numbering: numbering), scheduler: scheduler)
    }

    var random: SplitMix64 {
        get { scheduler.random }
        set { scheduler.random = newValue }
    }

    func newID() -> UUID {
        .version7(at: clock.date(after: scheduler.now), using: &scheduler.random)
    }

    /// Returns a number that rises with every call, and serves as the time in histories.
    func stamp() -> UInt64 {
        stamps += 1
        return stamps
    }

    func note(_ text: @autoclosure () -> String) {
        trace.note(scheduler.now, text)
    }

    func reportViolation(_ violation: String) {
        note(violation)
        violations.append(violation)
    }

    func noteCopy() {
        note("a copy of a request arrives")
        hasCopies = true
    }

    /// The queues of all applications.
    var queues: [QueueName] {
        Set(shoppers.map(\.queue)).sorted { $0.application < $1.application }
    }

    /// The histories of all processes, to be checked against the books.
    var histories: [History] {
        shoppers.map(\.history)
            + queues.compactMap { queue in
                operatorEntries[queue].map { History(name: "office", queue: queue, entries: $0) }
            }
    }

    /// Notes an act of the operator or the parent on a queue.
    func note(_ fact: Fact, in queue: QueueName) {
        operatorEntries[queue, default: []].append(FactEntry(at: stamp(), run: 1, fact: fact))
    }

    /// Whether no one will act on the store any more, so that its behaviour is the configured one.
    var isStoreLeftAlone: Bool {
        storeOperator?.hasActed ?? true
    }

    /// Whether all work has settled. A daemon that stands still has notices for those who follow at it.
    var isSettled: Bool {
        pausesToOutlast == 0 && shoppers.allSatisfy(\.isSettled) && storeOperator?.isSettled ?? true
    }

    /// How long shoppers have begun no new work.
    var settlingTime: Duration {
        settlingSince.map { scheduler.now - $0 } ?? .zero
    }

    func noteNotified(_ event: StoreEvent) {
        notified.insert(event)
    }

    func begin() {
        note(profile.text)
        (0..<profile.hosts).forEach(startDaemon)
        shoppers.forEach { $0.start() }
        beginToSleep()
        if profile.asksToBuy || profile.isOperated || profile.payers != nil {
            parent = Parent(world: self)
        }
        if profile.isOperated {
            storeOperator = StoreOperator(world: self)
        }
    }

    /// A daemon that runs; nil if none does.
    func anyDaemon() -> Daemon? {
        profile.hosts == 1 ? daemons[0] : random.element(of: daemons.values.sorted { $0.number < $1.number })
    }

    /// Has a daemon stand still for a while: at once, or in its next turn to commit.
    func pauseDaemon(for duration: Duration) {
        if random.chance(500) {
            pauseInNextTurn = duration
        } else if let daemon = anyDaemon() {
            pause(daemon, for: duration)
        }
    }

    /// Has the daemon of a host stand still in its turn, if that is to happen.
    func pauseInTurn(_ host: Int) async {
        guard let duration = pauseInNextTurn, let daemon = daemons[host] else {
            return
        }
        pauseInNextTurn = nil
        pause(daemon, for: duration)
        try? await daemon.host.time.sleep(for: .zero)
    }

    private func pause(_ daemon: Daemon, for duration: Duration) {
        pauses += 1
        pausesToOutlast += 1
        daemon.pause(for: duration)
        scheduler.after(duration + Self.noticesTime) { self.pausesToOutlast -= 1 }
    }

    /// What happened because hosts share the ledger.
    var sharedWork: SharedWork {
        var work = SharedWork()
        work.pauses = pauses
        work.lostTurns = disk.turns.lost
        work.takeovers = book.takeovers
        return work
    }

    /// Starts the next daemon of a host after one has ended, as a supervisor does.
    func daemonEnded(_ number: Int) {
        daemons[number] = nil
        restarts += 1
        scheduler.after(random.duration(0...(random.chance(200) ? 4000 : 50))) { self.startDaemon(number) }
    }

    /// Stops all faults, so that every process finishes the work that it began.
    func settle() {
        note("no more faults")
        areFaultsOn = false
        pauseInNextTurn = nil
        isSettling = true
        settlingSince = scheduler.now
    }

    /// Ends all processes permanently, and breaks reference cycles that would keep this alive.
    func end() {
        daemons.values.sorted { $0.number < $1.number }.forEach { $0.crash() }
        for shopper in shoppers where !shopper.leave() {
            reportViolation("\(shopper.name) ended, and some of its tasks wait without an end")
        }
        if parent?.leave() == false {
            reportViolation("the parent ended, and some of its tasks wait without an end")
        }
        if storeOperator?.leave() == false {
            reportViolation("the operator ended, and some of its tasks wait without an end")
        }
        scheduler.clear()
    }

    private func startDaemon(_ number: Int) {
        if daemons[number] == nil {
            note("a daemon starts at host \(number)")
            daemons[number] = Daemon(number, world: self)
        }
    }
}
