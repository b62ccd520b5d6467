import Logging
import TillEngine
import TillModel

/// One run of the daemon: the real engine on what the runs before have left on the disk.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Daemon: @unchecked Sendable {
    private static let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    let engine: PaymentEngine
    let host: Host
    private unowned let world: World
    private let ledger: SimulatedLedger
    private let provider: HostileProvider
    private var links: [Link] = []
    /// Whether it accepts connections.
    private(set) var isServing = true
    /// Whether it was asked to end, or gives up.
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
        engine = PaymentEngine(
            ledger: ledger,
            catalogue: catalogue,
            provider: provider,
            receipts: world.signer,
            configuration: EngineConfiguration(),
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

    /// Executes what a client asks for, as a task of the daemon.
    ///
    /// - Returns: For ``cancel(_:)``.
    @discardableResult
    func execute(_ work: @escaping @Sendable (PaymentEngine) async -> Void) -> Int {
        host.start { await work(self.engine) }
    }

    func cancel(_ task: Int) {
        host.cancel(task)
    }

    /// Asks it to end in good order.
    func stop() {
        world.note("the daemon is asked to stop")
        isStopping = true
        engine.stop()
    }

    /// Ends it where it stands.
    func crash() {
        guard isServing else {
            return
        }
        isServing = false
        links.forEach { $0.lostDaemon() }
        // They hold this.
        links = []
        ledger.cutPower()
        provider.cut()
        if !host.kill() {
            world.offend("the daemon was killed, and \(host.tasks) of its tasks wait for ever")
        }
        world.daemonEnded()
    }

    private func run() async {
        do {
            try await engine.run()
            world.note("the daemon has stopped")
        } catch {
            world.note("the daemon gives up: \(error)")
        }
        isStopping = true
        world.scheduler.after(.zero) { self.crash() }
    }
}
