import FaultRuns
import Foundation
import ProcessTesting
import Testing
import TillClient

/// A queue that others must not learn of: an owned product, finished, and a purchase that waits.
struct Secret {
    /// What a probe was answered, method by method, and every byte that it received.
    struct Report {
        var exit: ChildProcess.Exit
        var answers: [String: String]
        var received: Data
    }

    private let site: Site
    private let queue: PaymentQueue
    private let waiting: Payment

    init(_ site: Site) async throws {
        self.site = site
        queue = site.queue()
        let owned = try await queue.purchase(
            Payment(productID: TestStore.pro, applicationUsername: IsolationTests.canary)
        )
        try await queue.finish(owned)
        waiting = Payment(productID: TestStore.coins, quantity: 2, applicationUsername: IsolationTests.canary)
        _ = try await queue.purchase(waiting)
    }

    /// Calls every method from another process, as the same user or as another.
    func probe(application: String, user: UInt32? = nil) async throws -> Report {
        // The other user has to reach the program, and a place to write.
        let program = "\(site.directory)/probe"
        let place = "\(site.directory)/probed"
        try FileManager.default.copyItem(atPath: Binaries.worker, toPath: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try site.makeState(mode: 0o777, at: place)
        let arguments = [
            "probe", "--socket", site.socket, "--application", application, "--foreign", waiting.id.uuidString,
            "--received", "\(place)/bytes",
        ]
        let process =
            if let user {
                try site.start(
                    "probe",
                    "/usr/bin/setpriv",
                    ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", program] + arguments,
                    log: "probe.log"
                )
            } else {
                try site.start("probe", program, arguments, log: "probe.log")
            }
        let exit = await process.exit()
        let lines = try String(contentsOfFile: "\(site.directory)/probe.log", encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }
        return Report(
            exit: exit,
            answers: lines.filter { $0.count == 2 }.reduce(into: [:]) { $0[String($1[0])] = String($1[1]) },
            received: FileManager.default.contents(atPath: "\(place)/bytes") ?? Data()
        )
    }

    /// Checks that nothing of it is in what the probe received, and that the probe changed nothing of it.
    func expectUntouched(by report: Report) async throws {
        #expect(report.exit == .status(0))
        #expect(!report.received.isEmpty)
        #expect(report.received.firstRange(of: Data(IsolationTests.canary.utf8)) == nil, "the canary got out")
        #expect(report.received.firstRange(of: Data(waiting.id.bytes)) == nil, "the transaction got out")
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
