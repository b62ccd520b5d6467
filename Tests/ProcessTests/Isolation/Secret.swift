import FaultRuns
import Foundation
import ProcessTesting
import Testing
import TillClient

/// A queue that other users must not learn of. It has an owned, finished product and a waiting purchase.
struct Secret {
    /// The text in every payment of the queue.
    static let canary = "canary-4b1d7c"

    /// The answers to a probe by method, and every byte that it received.
    struct Report {
        var answers: [String: String]
        var received: Data
    }

    let site: Site
    private let queue: PaymentQueue
    private let waiting: Payment

    init(_ site: Site) async throws {
        self.site = site
        queue = site.queue()
        // A payment with data in the field that StoreKit reserves fails.
        let data = Array("\(Self.canary) in data".utf8)
        for payment in [
            Payment(productID: TestStore.pro, applicationUsername: Self.canary),
            Payment(productID: TestStore.coins, applicationUsername: Self.canary, requestData: data),
        ] {
            try await queue.finish(try await queue.purchase(payment))
        }
        waiting = Payment(productID: TestStore.coins, quantity: 2, applicationUsername: Self.canary)
        _ = try await queue.purchase(waiting)
        // The other users must be able to read the program, and need a writable directory.
        try FileManager.default.copyItem(atPath: Binaries.worker, toPath: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try site.makeState(mode: 0o777, at: place)
    }

    private var program: String { site.path("probe") }
    private var place: String { site.path("probed") }

    /// Calls every method from another process.
    func probe(_ caller: ProbeCaller = .ownUser, application: String = Site.application) async throws -> Report {
        let name = "probe-\(UUID().uuidString)"
        let command = try caller.starting(probing(name, application) + ["--socket", site.socket], at: site)
        let process = try site.start("probe", command[0], Array(command.dropFirst()), log: "\(name).log")
        #expect(await process.exit() == .status(0))
        return try report(name)
    }

    /// Calls every method on a connection whose creator has ended before the daemon accepts it.
    func probeWithoutMaker(_ daemon: ChildProcess) async throws -> Report {
        let name = "probe-\(UUID().uuidString)"
        daemon.signal(SIGSTOP)
        let process = try site.start(
            "hand-over",
            program,
            ["hand-over", "--socket", site.socket] + probing(name, Site.application),
            log: "\(name).log"
        )
        #expect(await process.exit() == .status(0))
        daemon.signal(SIGCONT)
        let deadline = ContinuousClock.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: "\(place)/\(name)"), ContinuousClock.now < deadline {
            await Alarm.after(.milliseconds(10))
        }
        return try report(name)
    }

    private func probing(_ name: String, _ application: String) -> [String] {
        [
            program, "probe", "--application", application, "--foreign", waiting.id.uuidString,
            "--received", "\(place)/\(name)",
        ]
    }

    private func report(_ name: String) throws -> Report {
        let lines = try String(contentsOfFile: site.path("\(name).log"), encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }
        return Report(
            answers: lines.filter { $0.count == 2 }.reduce(into: [:]) { $0[String($1[0])] = String($1[1]) },
            received: FileManager.default.contents(atPath: "\(place)/\(name)") ?? Data()
        )
    }

    /// Expects that the probe received no data of the queue.
    func expectUnseen(by report: Report) {
        #expect(!report.received.isEmpty)
        #expect(report.received.firstRange(of: Data(Self.canary.utf8)) == nil, "the canary leaked")
        #expect(report.received.firstRange(of: Data(waiting.id.bytes)) == nil, "the transaction leaked")
    }

    /// Expects that the queue is unchanged.
    func expectUntouched() async throws {
        var transactions: [Transaction] = []
        for try await transaction in queue.transactions {
            transactions.append(transaction)
        }
        #expect(transactions.map(\.id) == [waiting.id])
        #expect(transactions.first?.payment == waiting)
        #expect(transactions.first?.state == .purchased)
        await queue.close()
    }
}
