import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

/// An application of one user, over all runs of its process; what it has written down survives those.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Shopper: @unchecked Sendable {
    let name: String
    let queue: QueueName
    unowned let world: World
    private(set) var entries: [FactEntry] = []
    /// Actions that are still to be taken.
    var actionsLeft: Int
    /// Whether it has taken all its actions, and waits for nothing but the end.
    var hasActed: Bool {
        visit?.hasActed ?? false
    }

    /// Whether everything that it began has come to its end.
    private(set) var isSettled = false
    private(set) var visit: Visit?
    private var run = 0

    init(_ number: Int, world: World) {
        self.world = world
        name = "shopper \(number)"
        queue = QueueName(application: "org.example.app\(number % world.profile.applications)", account: "uid:1000")
        actionsLeft = world.profile.actions
    }

    var history: History {
        History(name: name, queue: queue, entries: entries)
    }

    /// Starts its process.
    func start() {
        run += 1
        let visit = Visit(self)
        self.visit = visit
        note(.runStarted(processID: Int32(run)))
        visit.start()
    }

    /// Ends its process where it stands, and starts it again later.
    func kill() {
        guard visit != nil, !isSettled else {
            return
        }
        world.note("\(name) is killed")
        if !leave() {
            world.offend("\(name) was killed, and some of its tasks wait for ever")
        }
        world.scheduler.after(world.random.duration(0...200)) { self.start() }
    }

    /// Its process is over, for good.
    ///
    /// - Returns: Whether all of its tasks ended.
    func leave() -> Bool {
        defer { visit = nil }
        return visit?.kill() ?? true
    }

    func note(_ fact: Fact) {
        entries.append(FactEntry(at: world.stamp(), run: run, fact: fact))
        world.note("\(name): \(fact.words)")
    }

    func settle() {
        note(.settled)
        isSettled = true
    }
}

extension Fact {
    /// For traces.
    fileprivate var words: String {
        switch self {
        case .addAcknowledged(let sighting): "add acknowledged, \(sighting.summary)"
        case .delivered(let sequence, _, let sighting): "delivered in \(sequence): \(sighting.summary)"
        case .removed(let sequence, let sighting): "removed in \(sequence): \(sighting.summary)"
        case .addIntended(let payment): "adds \(payment.id.text), \(payment.quantity) \(payment.product)"
        default: "\(self)"
        }
    }
}
