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
    private let options: [String]

    /// - Parameter configure: Changes the settings of the stand-in.
    static func with(
        _ configure: (inout Settings) -> Void = { _ in },
        _ body: (HostSite) async throws -> Void
    ) async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        let server = try await StripeStandIn(
            .init { configuration in
                configuration.settings.keys = [Settings.Key("rk_test_abcdef")]
                configure(&configuration.settings)
            }
        )
        try await Site.with { site in
            let options = try site.stripe(.test, address: server.address)
            try await body(
                HostSite(site: site, stripe: server.control, options: options + ["--ledger", cluster.address])
            )
        }
        await server.stop()
    }

    private init(site: Site, stripe: StripeControl, options: [String]) {
        self.site = site
        self.stripe = stripe
        self.options = options
    }

    func state(of host: String) -> String {
        site.path("state-\(host)")
    }

    func socket(of host: String) -> String {
        site.path("\(host).sock")
    }

    /// Starts the daemon of a host, which may not serve yet on return.
    func startDaemon(_ host: String, _ more: [String] = ["--host-users", "same"]) throws -> ChildProcess {
        let options = options + ["--host", host] + more
        return try site.startDaemon(options, state: state(of: host), socket: socket(of: host))
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

    func queue(_ host: String, callTimeout: Duration = .seconds(30)) -> PaymentQueue {
        var configuration = ClientConfiguration(application: Site.application, socketPath: socket(of: host))
        configuration.callTimeout = callTimeout
        return PaymentQueue(configuration)
    }

    /// Runs `till` with a host's daemon.
    func till(_ arguments: [String], at host: String) async throws -> Site.Result {
        try await site.result(of: Binaries.command, arguments + ["--socket", socket(of: host)])
    }

    /// Waits until a host knows the name of the payment's page, and returns it.
    func page(of payment: UUID, at host: String) async throws -> String {
        let store = TillOperator(queue(host).configuration)
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
