import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Synchronization
import TillClient

extension Site {
    /// A program's exit and the lines of its output and errors.
    typealias Result = (exit: ChildProcess.Exit, lines: [String])

    var backup: String { path("backup.tar") }
    var restored: String { path("restored") }

    /// Runs `till` with the site's daemon.
    func till(_ arguments: [String]) async throws -> Result {
        try await result(of: Binaries.command, arguments + ["--socket", socket])
    }

    /// Restores a backup, by default into the site's second state directory.
    func restore(_ file: String? = nil, into state: String? = nil, _ options: [String] = []) async throws -> Result {
        let arguments = ["restore-backup", file ?? backup, "--state", state ?? restored]
        return try await result(of: Binaries.daemon, arguments + options)
    }

    /// Runs `tilld check` or `tilld reconcile` on a state directory.
    func examine(_ command: String, _ state: String, _ options: [String] = []) async throws -> Result {
        try await result(of: Binaries.daemon, [command, "--state", state] + options)
    }

    func result(of program: String, _ arguments: [String]) async throws -> Result {
        let log = "output-\(UUID().uuidString)"
        let process = try start(program, program, arguments, log: log)
        let exit = await process.exit(within: .seconds(300))
        let output = try String(contentsOfFile: path(log), encoding: .utf8)
        try FileManager.default.removeItem(atPath: path(log))
        return (exit, output.split(separator: "\n").map(String.init))
    }

    func store(_ socket: String? = nil) -> TillOperator {
        TillOperator(ClientConfiguration(application: Site.application, socketPath: socket ?? self.socket))
    }

    /// Stops a daemon, which must exit successfully.
    func stop(_ daemon: ChildProcess) async throws {
        daemon.signal(SIGTERM)
        let exit = await daemon.exit()
        guard exit == .status(0) else {
            throw HarnessFailure("the daemon ended with \(exit): \(try log().suffix(500))")
        }
    }

    /// Buys so much with long usernames that a backup is larger than all buffers on its way.
    func fill(payments: Int = 1500) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let queue = queue()
                    for _ in 0..<(payments / 8) {
                        let username = String(repeating: "u", count: 1000)
                        try await queue.add(Payment(productID: TestStore.coins, applicationUsername: username))
                    }
                    await queue.close()
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Customers that buy all the time from a daemon in this process's tasks.
final class Buyers: Sendable {
    private struct State {
        var answered: Set<UUID> = []
        var errors: [String] = []
        var isStopped = false
    }

    private let state = Mutex(State())

    /// The payments that were answered.
    var answered: Set<UUID> {
        state.withLock { $0.answered }
    }

    /// The errors that customers got, which a backup must not cause.
    var errors: [String] {
        state.withLock { $0.errors }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Buys with so many customers until ``stop()``.
    func buy(from site: Site, customers: Int) async {
        state.withLock { $0.isStopped = false }
        await withTaskGroup { group in
            for number in 0..<customers {
                group.addTask { await self.buy(from: site.queue("org.example.customer-\(number)")) }
            }
        }
    }

    private func buy(from queue: PaymentQueue) async {
        while !state.withLock(\.isStopped) {
            let payment = Payment(productID: TestStore.coins)
            do {
                try await queue.add(payment)
                state.withLock { _ = $0.answered.insert(payment.id) }
            } catch {
                state.withLock { $0.errors.append("\(error)") }
            }
        }
        await queue.close()
    }
}
