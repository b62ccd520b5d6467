import FaultRuns
import Foundation
import ProcessTesting
import StripeStandIn
import TillClient
import TillModel

/// Daemons of several hosts, with one ledger in PostgreSQL and one stand-in for Stripe. Their state directories, sockets and
/// users are on this machine.
struct HostSite {
    let site: Site
    let stripe: StripeControl
    let isSimulated: Bool
    /// In which each host and the database have a namespace; nil if all have the machine's.
    let network: TestNetwork?
    /// The address of the ledger.
    let address: String
    /// The connection URI of the database's superuser.
    let database: String
    private let options: [String]

    /// - Parameters:
    ///   - isSimulated: Whether the daemons use the simulated store, which fails by product, instead of the stand-in.
    ///   - networked: The hosts that reach the database over links of their own. They reach the stand-in in any case.
    ///   - configure: Changes the settings of the stand-in.
    static func with(
        isSimulated: Bool = false,
        networked: [String] = [],
        _ configure: (inout Settings) -> Void = { _ in },
        _ body: (HostSite) async throws -> Void
    ) async throws {
        let network = networked.isEmpty ? nil : try TestNetwork(networked)
        defer { try? network?.end() }
        let cluster = try PostgresCluster(network: network)
        defer { try? cluster.stop() }
        let socketPath = FileManager.default.temporaryDirectory.appending(path: "till-stripe-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: socketPath) }
        let server = try await StripeStandIn(
            .init { configuration in
                configuration.socketPath = network == nil ? nil : socketPath
                configuration.settings.keys = [Settings.Key("rk_test_abcdef")]
                configure(&configuration.settings)
            }
        )
        try network?.relay(port: server.port, to: socketPath)
        try await Site.with { site in
            let options =
                isSimulated ? CrewPlan.standard.daemonOptions : try site.stripe(.test, address: server.address)
            try await body(
                HostSite(
                    site: site,
                    stripe: server.control,
                    isSimulated: isSimulated,
                    network: network,
                    address: cluster.address,
                    database: cluster.localAddress,
                    options: options
                )
            )
        }
        await server.stop()
    }

    private init(
        site: Site,
        stripe: StripeControl,
        isSimulated: Bool,
        network: TestNetwork?,
        address: String,
        database: String,
        options: [String]
    ) {
        self.isSimulated = isSimulated
        self.address = address
        self.site = site
        self.stripe = stripe
        self.network = network
        self.database = database
        self.options = options
    }

    func state(of host: String) -> String {
        site.path("state-\(host)")
    }

    func socket(of host: String) -> String {
        site.path("\(host).sock")
    }

    /// Starts the daemon of a host, which may not serve yet on return.
    func startDaemon(
        _ host: String,
        _ more: [String] = ["--host-users", "same"],
        environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let options = options + ["--ledger", address, "--host", host] + more
        return try site.startDaemon(
            options,
            state: state(of: host),
            socket: socket(of: host),
            environment: environment,
            wrapper: network?.wrapper(for: host) ?? []
        )
    }

    /// Starts the daemon of a host, and waits until it answers.
    func start(_ host: String, _ more: [String] = ["--host-users", "same"]) async throws -> ChildProcess {
        let daemon = try startDaemon(host, more)
        try await site.waitUntilServing(at: socket(of: host))
        return daemon
    }

    /// Starts the daemons of hosts, which sign with the certificates of the first.
    func start(all hosts: [String]) async throws -> [ChildProcess] {
        var daemons: [ChildProcess] = []
        for host in hosts {
            if let first = hosts.first, first != host {
                try copyCertificates(from: first, to: host)
            }
            daemons.append(try await start(host))
        }
        return daemons
    }

    func copyCertificates(from first: String, to host: String) throws {
        try site.makeState(mode: 0o700, at: state(of: host))
        try FileManager.default.copyItem(
            atPath: state(of: first) + "/receipts",
            toPath: state(of: host) + "/receipts"
        )
    }

    /// The operator of a host's daemon.
    func store(_ host: String, callTimeout: Duration = .seconds(30)) -> TillOperator {
        TillOperator(queue(host, callTimeout: callTimeout).configuration)
    }

    func queue(_ host: String, callTimeout: Duration = .seconds(30)) -> PaymentQueue {
        var configuration = ClientConfiguration(application: Site.application, socketPath: socket(of: host))
        configuration.callTimeout = callTimeout
        return PaymentQueue(configuration)
    }

    /// Runs `body` with a queue of a host, and closes that afterwards.
    func withQueue<Value: Sendable>(
        _ host: String,
        callTimeout: Duration,
        _ body: (PaymentQueue) async throws -> Value
    ) async throws -> Value {
        let queue = queue(host, callTimeout: callTimeout)
        do {
            let value = try await body(queue)
            await queue.close()
            return value
        } catch {
            await queue.close()
            throw error
        }
    }

    /// Runs `till` with a host's daemon.
    func till(_ arguments: [String], at host: String) async throws -> Site.Result {
        try await site.result(of: Binaries.command, arguments + ["--socket", socket(of: host)])
    }

    /// Waits until a query of the database says `t`.
    func waitUntil(_ condition: String) async throws {
        while try await site.query(condition, at: database) != ["t"] {
            await Alarm.after(.milliseconds(20))
        }
    }

    /// Waits until a host knows the name of the payment's page, and returns it.
    func page(of payment: UUID, at host: String) async throws -> String {
        let store = store(host)
        while true {
            let charges = try? await store.explanation(ofTransaction: payment).charges
            if let name = charges?.first?.reference {
                await store.close()
                return name
            }
            await Alarm.after(.milliseconds(5))
        }
    }
}
