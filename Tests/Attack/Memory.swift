import ArgumentParser
import Foundation
import ProcessTesting
import TillClient

/// Attacks a daemon in every way at once, and measures its memory.
struct Memory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Attack a daemon, and measure its memory.")

    @Option(help: "Attack for this many seconds.")
    var seconds = 60

    @Option(help: "Open this many connections in all (at most 64).")
    var connections = 64

    @Option(help: "Fail if the daemon's resident memory exceeds this.")
    var limitMib = 256

    @Option(help: "Use only these attacks (default: all).")
    var attack: [Attack] = []

    /// The number of unfinished payments with the longest username, so that unread answers are large.
    private static let backlog = 300

    func validate() throws {
        guard seconds > 0, connections > 0 else { throw ValidationError("Use at least 1 second and 1 connection.") }
    }

    func run() async throws {
        try await Site.with(catalogue: AttackStore.catalogue()) { site in
            let daemon = try await site.startServingDaemon(["--requests-per-second", "0"])
            try await fill(site)
            let before = try ProcessMemory(of: daemon.processID)
            let attackers = makeAttackers(on: site)
            let samples = try await watch(daemon, attackers)
            report(before, try ProcessMemory(of: daemon.processID), samples, attackers)
            guard daemon.isRunning else { throw AttackFailure("the daemon has ended") }
            try await waitUntilItAnswers(site)
            try check(try ProcessMemory(of: daemon.processID), attackers)
        }
    }

    private func makeAttackers(on site: Site) -> [Attacker] {
        let attacks = attack.isEmpty ? Attack.allCases : attack
        return attacks.enumerated().map { index, attack in
            Attacker(
                socket: site.socket,
                application: AttackStore.application,
                attack: attack,
                connections: connections / attacks.count + (index < connections % attacks.count ? 1 : 0)
            )
        }
    }

    private func fill(_ site: Site) async throws {
        let queue = PaymentQueue(
            ClientConfiguration(application: AttackStore.application, socketPath: site.socket)
        )
        let username = String(repeating: "u", count: Payment.applicationUsernameMaximumBytes)
        for _ in 0..<Self.backlog {
            _ = try await queue.add(Payment(productID: AttackStore.product, applicationUsername: username))
        }
        await queue.close()
    }

    /// The attackers' calls may still be in flight for a moment, and count for the same user.
    private func waitUntilItAnswers(_ site: Site) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await site.waitUntilServing()
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                await Alarm.after(.milliseconds(100))
            }
        }
    }

    /// - Returns: The number of memory samples.
    private func watch(_ daemon: ChildProcess, _ attackers: [Attacker]) async throws -> Int {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for attacker in attackers {
                group.addTask { await attacker.run() }
            }
            defer { group.cancelAll() }
            var samples = 0
            let progress = Progress(of: seconds)
            for second in 0..<seconds where daemon.isRunning {
                await Alarm.after(.seconds(1))
                samples += 1
                progress.show(second + 1, "\(try ProcessMemory(of: daemon.processID).residentMib) MiB")
            }
            progress.end()
            return samples
        }
    }

    private func report(_ before: ProcessMemory, _ after: ProcessMemory, _ samples: Int, _ attackers: [Attacker]) {
        print("attack          connections     frames  bytes read")
        for attacker in attackers {
            let figures = attacker.tally.figures
            print(
                attacker.attack.rawValue.padding(toLength: 12, withPad: " ", startingAt: 0)
                    + Figure.column(figures.connections, 15) + Figure.column(figures.frames, 11)
                    + Figure.column(figures.bytesRead, 12)
            )
        }
        print("resident before \(before.residentMib) MiB, after \(after.residentMib) MiB, at most \(after.peakMib) MiB")
        print("attacked for \(samples) s from \(connections) connections")
    }

    private func check(_ memory: ProcessMemory, _ attackers: [Attacker]) throws {
        guard attackers.allSatisfy({ $0.tally.figures.connections > 0 }) else {
            throw AttackFailure("an attacker could not connect, so the run proves nothing")
        }
        guard attackers.allSatisfy({ $0.attack == .reconnects || $0.tally.figures.frames > 0 }) else {
            throw AttackFailure("an attacker could not send, so the run proves nothing")
        }
        guard memory.peakMib <= limitMib else {
            throw AttackFailure("the daemon had \(memory.peakMib) MiB resident, more than \(limitMib) MiB")
        }
    }
}
