import Logging
import TillEngine
import TillModel

/// One run of the daemon of a host: the real engine on the disk that earlier runs left.
// One thread runs the whole simulation, so no two threads access this.
final class Daemon: @unchecked Sendable {
    private static let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    /// The number of its host.
    let number: Int
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

    init(_ number: Int, world: World) {
        self.number = number
        self.world = world
        host = Host(scheduler: world.scheduler, clock: world.clock)
        ledger = SimulatedLedger(world: world, disk: world.disk, host: number)
        provider = HostileProvider(world: world, host: number)
        var catalogue = SimulatedCatalogue()
        catalogue.settings.isAskToBuyEnabled = world.profile.asksToBuy
        catalogue.settings.timeRate = world.profile.timeRate
        catalogue.settings.hasGracePeriod = world.profile.hasGracePeriod
        var configuration = EngineConfiguration()
        if let payers = world.profile.payers {
            configuration.purchasingDeadline = payers.deadline
        }
        configuration.retention = world.profile.retention
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

    var name: String {
        "the daemon of host \(number)"
    }

    /// Has the daemon stand still, while everything else continues.
    func pause(for duration: Duration) {
        world.note("\(name) is paused for \(duration)")
        host.pause()
        world.scheduler.after(duration) { [self] in
            world.note("\(name) continues")
            host.resume()
        }
    }

    /// Asks the daemon to stop normally.
    func stop() {
        world.note("\(name) is asked to stop")
        isStopping = true
        engine.stop()
    }

    /// Ends the daemon immediately, wherever it is.
    func crash() {
        guard isServing else {
            return
        }
        isServing = false
        host.resume()
        links.forEach { $0.lostDaemon() }
        // The links hold a reference to this daemon.
        links = []
        ledger.cutPower()
        provider.cut()
        if !host.kill() {
            world.reportViolation("\(name) was killed, and \(host.tasks) of its tasks wait without an end")
        }
        world.daemonEnded(number)
    }

    private func run() async {
        do {
            try await engine.run()
            world.note("\(name) has stopped")
        } catch {
            world.note("\(name) fails: \(error)")
        }
        isStopping = true
        world.scheduler.after(.zero) { self.crash() }
    }
}
