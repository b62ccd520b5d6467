import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

/// An application of one user over all runs of its process. The facts that it wrote down survive each run.
// One thread runs the whole simulation, so no two threads access this.
final class Shopper: @unchecked Sendable {
    let name: String
    let queue: QueueName
    unowned let world: World
    private(set) var entries: [FactEntry] = []
    /// The number of actions left.
    var actionsLeft: Int
    /// Whether the shopper has taken all actions, and only waits for the end.
    var hasActed: Bool {
        visit?.hasActed ?? false
    }

    /// Whether everything that the shopper began has settled.
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

    /// Starts the shopper's process.
    func start() {
        run += 1
        let visit = Visit(self)
        self.visit = visit
        note(.runStarted(processID: Int32(run)))
        visit.start()
    }

    /// Kills the shopper's process, and starts it again later.
    func kill() {
        guard visit != nil, !isSettled else {
            return
        }
        world.note("\(name) is killed")
        if !leave() {
            world.reportViolation("\(name) was killed, and some of its tasks wait without an end")
        }
        world.scheduler.after(world.random.duration(0...200)) { self.start() }
    }

    /// Ends the process permanently.
    ///
    /// - Returns: Whether all tasks of the process ended.
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
    /// A description for traces.
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
