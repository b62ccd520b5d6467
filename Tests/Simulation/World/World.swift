import FoundationEssentials
import TestValues
import TillEngine
import TillInvariants
import TillModel

/// Everything that there is in a simulation.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class World: @unchecked Sendable {
    let scheduler: Scheduler
    let clock = WallClock()
    let profile: Profile
    let disk: Disk
    let signer = SimulatedSigner()
    /// What is wrong on purpose.
    let flaw: Flaw?
    private(set) lazy var book = ProviderBook(world: self)
    private(set) lazy var shoppers = (0..<profile.shoppers).map { Shopper($0, world: self) }
    private(set) var daemon: Daemon?
    private var parent: Parent?
    private var storeOperator: StoreOperator?
    /// What the operator and the parent noted, by queue.
    private var officeEntries: [QueueName: [FactEntry]] = [:]
    /// What applications were told of an operator's acts.
    private(set) var told: Set<StoreEvent> = []
    /// Whether anything goes wrong at present.
    private(set) var areFaultsOn = true
    /// No new work from now on.
    private(set) var isSettling = false
    /// Whether any request arrived twice.
    private(set) var hasCopies = false
    /// What may never happen and did, beside what a verdict finds.
    private(set) var offences: [String] = []
    private(set) var restarts = 0
    /// Answered advances of the store's clock after which it was examined what is left to do.
    var advances = ExaminedAdvances()
    private let trace: Trace
    private var stamps: UInt64 = 0

    init(seed: UInt64, flaw: Flaw?, trace: Trace) {
        self.trace = trace
        self.flaw = flaw
        scheduler = Scheduler(seed: seed, trace: trace)
        profile = Profile(random: &scheduler.random)
        var numbers = SplitMix64(seed: seed)
        let numbering = LedgerNumbering.drawn(using: &numbers)
        disk = Disk(MemoryLedger(id: UUID(high: 1, low: seed), numbering: numbering))
    }

    var random: SplitMix64 {
        get { scheduler.random }
        set { scheduler.random = newValue }
    }

    func newID() -> UUID {
        .version7(at: clock.date(after: scheduler.now), using: &scheduler.random)
    }

    /// A number that rises with every call, and stands for the time in histories.
    func stamp() -> UInt64 {
        stamps += 1
        return stamps
    }

    func note(_ text: @autoclosure () -> String) {
        trace.note(scheduler.now, text)
    }

    func offend(_ offence: String) {
        note(offence)
        offences.append(offence)
    }

    func noteCopy() {
        note("a request arrives once more")
        hasCopies = true
    }

    /// The queues of all applications.
    var queues: [QueueName] {
        Set(shoppers.map(\.queue)).sorted { $0.application < $1.application }
    }

    /// What everybody noted, to be held against the books.
    var histories: [History] {
        shoppers.map(\.history)
            + queues.compactMap { queue in
                officeEntries[queue].map { History(name: "office", queue: queue, entries: $0) }
            }
    }

    /// Notes what the operator or the parent did to a queue.
    func note(_ fact: Fact, in queue: QueueName) {
        officeEntries[queue, default: []].append(FactEntry(at: stamp(), run: 1, fact: fact))
    }

    /// Whether nothing will be done to the store any more, so that it behaves as it does by itself.
    var isStoreLeftAlone: Bool {
        storeOperator?.hasActed ?? true
    }

    /// Whether everybody's work has come to its end.
    var isAtRest: Bool {
        shoppers.allSatisfy(\.isSettled) && storeOperator?.isSettled ?? true
    }

    func noteTold(_ event: StoreEvent) {
        told.insert(event)
    }

    func begin() {
        note(profile.text)
        startDaemon()
        shoppers.forEach { $0.start() }
        if profile.asksToBuy || profile.isOperated {
            parent = Parent(world: self)
        }
        if profile.isOperated {
            storeOperator = StoreOperator(world: self)
        }
    }

    /// The daemon's process is gone; whoever looks after it starts another.
    func daemonEnded() {
        daemon = nil
        restarts += 1
        scheduler.after(random.duration(0...(random.chance(200) ? 4000 : 50))) { self.startDaemon() }
    }

    /// Nothing goes wrong from now on, and everybody finishes what was begun.
    func settle() {
        note("no more faults")
        areFaultsOn = false
        isSettling = true
    }

    /// Ends all processes for good, and lets go of everything that would keep this alive.
    func end() {
        daemon?.crash()
        for shopper in shoppers where !shopper.leave() {
            offend("\(shopper.name) left, and some of its tasks wait for ever")
        }
        if parent?.leave() == false {
            offend("the parent left, and some of its tasks wait for ever")
        }
        if storeOperator?.leave() == false {
            offend("the operator left, and some of its tasks wait for ever")
        }
        scheduler.clear()
    }

    private func startDaemon() {
        if daemon == nil {
            note("a daemon starts")
            daemon = Daemon(world: self)
        }
    }
}
