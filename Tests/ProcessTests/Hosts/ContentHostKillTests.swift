import ContentServer
import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TestValues
import Testing
import TillClient
import TillModel

/// Kills and pauses hosts that share a ledger while they download, and while transactions are finished at any of them.
///
/// A tenth of `TILL_HOST_ROUNDS` is the number of rounds, and `TILL_TEST_SEED` repeats the choices of a run.
@Suite(
    .serialized,
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct ContentHostKillTests {
    private static let configured = ProcessInfo.processInfo.environment["TILL_HOST_ROUNDS"].flatMap { Int($0) }
    static let rounds = configured.map { max($0 / 10, 1) } ?? 5

    @Test(.timeLimit(.minutes(max(10, rounds / 2))))
    func contentIsWholeUntilItsTransactionIsFinishedAndThenGone() async throws {
        let random = SplitMix64.fromEnvironment()
        print("\(Self.rounds) rounds of hosts with content; repeat them with TILL_TEST_SEED=\(random.seed)")
        let slow = Reply {
            $0.pauseMilliseconds = 5
            $0.chunkBytes = 16 << 10
        }
        try await ContentHostTests.withContent(ofProduct: TestStore.coins, slow) { hosts, _ in
            var run = try await ContentRun(at: hosts, random)
            for _ in 0..<Self.rounds {
                try await run.round()
            }
            try await run.settle()
            print(
                "\(run.accidents) hosts were killed or paused, \(run.finishedCount) transactions were finished elsewhere"
            )
        }
    }
}

private struct ContentRun {
    private let hosts: HostSite
    private var random: SplitMix64
    private var daemons: [String: ChildProcess]
    /// Transactions that are not finished, each with the hosts that download its content.
    private var open: [(transaction: Transaction, hosts: [String])] = []
    private(set) var accidents = 0
    private(set) var finishedCount = 0

    init(at hosts: HostSite, _ random: SplitMix64) async throws {
        self.hosts = hosts
        self.random = random
        daemons = Dictionary(
            uniqueKeysWithValues: zip(HostKillRun.names, try await hosts.start(all: HostKillRun.names))
        )
    }

    /// Buys, starts the download at some hosts, and finishes this or another transaction while a host is away.
    mutating func round() async throws {
        let bought = try await with(anyHost()) { try await $0.purchase(Payment(productID: TestStore.coins)) }
        let chosen = HostKillRun.names.filter { _ in Bool.random(using: &random) }
        for name in chosen {
            try await with(name) { queue in
                let download = try #require(try await ContentHostTests.download(queue, of: bought.id))
                try await queue.start([download])
            }
        }
        open.append((bought, chosen))
        await Alarm.after(.milliseconds(Int.random(in: 0...400, using: &random)))
        let victim = anyHost()
        let isKilled = Bool.random(using: &random)
        accidents += 1
        if isKilled {
            await daemons[victim]?.killNow()
        } else {
            daemons[victim]?.signal(SIGSTOP)
        }
        if Int.random(in: 0..<4, using: &random) > 0 {
            let finished = open.remove(at: Int.random(in: open.indices, using: &random)).transaction
            try await with(anyHost(besides: victim)) { try await $0.finish(finished) }
            finishedCount += 1
        }
        if isKilled {
            daemons[victim] = try await hosts.start(victim)
        } else {
            daemons[victim]?.signal(SIGCONT)
        }
    }

    /// Expects whole content of what is not finished, then finishes it and waits until nothing is left.
    mutating func settle() async throws {
        for (transaction, names) in open {
            for name in names {
                _ = try await with(name) { try await ContentHostTests.wholeContent($0, of: transaction.id) }
            }
            try await with(anyHost()) { try await $0.finish(transaction) }
        }
        try await ContentHostTests.waitUntilRemoved(hosts, HostKillRun.names)
        try await hosts.waitUntil("SELECT NOT EXISTS (SELECT FROM till.host_downloads)")
        try await hosts.waitUntil("SELECT NOT EXISTS (SELECT FROM till.downloads)")
    }

    /// A commit that a host is paused in holds up the others for three seconds.
    private func with<Value: Sendable>(_ name: String, _ body: (PaymentQueue) async throws -> Value) async throws
        -> Value
    {
        try await hosts.withQueue(name, callTimeout: .seconds(10), body)
    }

    private mutating func anyHost(besides other: String? = nil) -> String {
        HostKillRun.anyHost(besides: other, using: &random)
    }
}
