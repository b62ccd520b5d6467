import Logging
import TillEngine
import TillModel

/// One run of the daemon: the real engine on the disk that earlier runs left.
// One thread runs the whole simulation, so no two threads access this.
final class Daemon: @unchecked Sendable {
    private static let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    let engine: PaymentEngine
    let host: Host
    private unowned let world: World
    private let ledger: SimulatedLedger
    private let provider: HostileProvider
    private var links: [Link] = []
    /// Whether the daemon accepts connections.
    private(set) var isServing = true
    /// Whether the daemon was asked to stop, or has failed.
    private(set) var isStopping = false

    init(world: World) {
        self.world = world
        host = Host(scheduler: world.scheduler, clock: world.clock)
        ledger = SimulatedLedger(world: world, disk: world.disk)
        provider = HostileProvider(world: world)
        var catalogue = SimulatedCatalogue()
        catalogue.settings.isAskToBuyEnabled = world.profile.asksToBuy
        catalogue.settings.timeRate = world.profile.timeRate
        catalogue.settings.hasGracePeriod = world.profile.hasGracePeriod
        var configuration = EngineConfiguration()
        if let payers = world.profile.payers {
            configuration.purchasingDeadline = payers.deadline
        }
        engine = PaymentEngine(
            ledger: ledger,
            catalogue: catalogue,
            provider: provider,
            receipts: world.signer,
            configuration: configuration,
            logger: Self.logger,
            time: world.profile.advances > 0 ? AdjustableTime(host.time) : host.time,
            callTime: host.time,
            makeID: { world.newID() }
        )
        host.start { await self.run() }
    }

    func connect(_ link: Link) {
        links.append(link)
    }

    /// Executes a client's request as a task of the daemon.
    ///
    /// - Returns: The number of the task, for ``cancel(_:)``.
    @discardableResult
    func execute(_ work: @escaping @Sendable (PaymentEngine) async -> Void) -> Int {
        host.start { await work(self.engine) }
    }

    func cancel(_ task: Int) {
        host.cancel(task)
    }

    /// Asks the daemon to stop normally.
    func stop() {
        world.note("the daemon is asked to stop")
        isStopping = true
        engine.stop()
    }

    /// Ends the daemon immediately, wherever it is.
    func crash() {
        guard isServing else {
            return
        }
        isServing = false
        links.forEach { $0.lostDaemon() }
        // The links hold a reference to this daemon.
        links = []
        ledger.cutPower()
        provider.cut()
        if !host.kill() {
            world.reportViolation("the daemon was killed, and \(host.tasks) of its tasks wait without an end")
        }
        world.daemonEnded()
    }

    private func run() async {
        do {
            try await engine.run()
            world.note("the daemon has stopped")
        } catch {
            world.note("the daemon fails: \(error)")
        }
        isStopping = true
        world.scheduler.after(.zero) { self.crash() }
    }
}
