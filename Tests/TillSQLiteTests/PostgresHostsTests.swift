import FoundationEssentials
import ProcessTesting
import Testing
import TillEngine
import TillModel

@testable import TillPostgres
@testable import TillSQL

@Suite(
    "The PostgreSQL ledger of several hosts",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresHostsTests {
    @Test func commitsOfSeveralHostsHappenOneAfterTheOther() async throws {
        try await withPostgresHosts(4) { hosts, place in
            let queue = try await hosts[0].makeQueue()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for host in hosts {
                    group.addTask {
                        for _ in 0..<40 {
                            try await host.add(to: queue)
                        }
                    }
                }
                try await group.waitForAll()
            }
            var rows: [(key: Int64, revision: Int64)] = []
            try place.session().run("SELECT key, revision FROM transactions ORDER BY key", []) { row in
                rows.append((row.integer(ofColumn: 0), row.integer(ofColumn: 1)))
            }
            #expect(rows.map(\.revision) == Array(1...160), "each revision once, in the order of the keys")
            #expect(Set(rows.map(\.key)).count == 160)
        }
    }

    /// A lost session loses its locks, and the one that takes its place has them again. They end with the daemon.
    @Test func hostsKnowOfEachOthersAgents() async throws {
        try await withPostgresHosts(2) { hosts, place in
            func isElsewhere(_ account: String, from host: Int) async throws -> Bool {
                try await hosts[host].commit { try $0.isAgentElsewhere(account: account) }
            }
            #expect(try await !isElsewhere("ada", from: 0))
            try await hosts[1].announceAgents(of: ["ada", "caf\u{E9}"])
            #expect(try await isElsewhere("ada", from: 0))
            #expect(try await isElsewhere("caf\u{E9}", from: 0))
            #expect(try await !isElsewhere("bob", from: 0))
            #expect(try await !isElsewhere("ada", from: 1), "its own agents are not elsewhere")
            try place.endSession(ofProcess: hosts[1].serverProcess)
            try await hosts[1].commit { try $0.touch() }
            #expect(try await isElsewhere("ada", from: 0))
            try await hosts[1].announceAgents(of: ["bob"])
            #expect(try await !isElsewhere("ada", from: 0))
            #expect(try await isElsewhere("bob", from: 0))
            await hosts[1].close()
            while try await isElsewhere("bob", from: 0) {
                await Task.yield()
            }
        }
    }

    /// Each of the hosts knew the transaction from a commit of its own before the other changed it.
    @Test func aHostForgetsWhatAnotherHasChanged() async throws {
        try await withPostgresHosts(2) { hosts, _ in
            let queue = try await hosts[0].makeQueue()
            let added = try await hosts[0].add(to: queue)
            for round in 0..<4 {
                let expected = round == 0 ? added.state : .purchasing
                let seen = try await hosts[round % 2].commit { writer in
                    let found = try writer.transaction(key: added.key)
                    var record = try #require(found)
                    record.createdAt = added.createdAt
                    record.state = .purchasing
                    record.revision = try writer.advanceRevision(ofQueue: queue)
                    try writer.update(record)
                    return found
                }
                #expect(seen?.state == expected && seen?.revision == UInt64(round + 1))
            }
        }
    }

    @Test func aHostIsToldOfTheCommitsOfOthers() async throws {
        try await withPostgresHosts(2) { hosts, _ in
            let queue = try await hosts[0].makeQueue()
            let first = try #require(try await hosts[1].news(ofQueues: [queue], after: nil))
            #expect(first.revisions == [queue: 0])
            #expect(try await hosts[1].news(ofQueues: [queue], after: first.commits) == nil)
            try await hosts[1].add(to: queue)
            #expect(
                try await hosts[1].news(ofQueues: [queue], after: first.commits) == nil,
                "its own commit is not one of theirs"
            )
            try await hosts[0].add(to: queue)
            let second = try #require(try await hosts[1].news(ofQueues: [queue], after: first.commits))
            #expect(second.revisions == [queue: 2] && second.commits == first.commits + 1)
            #expect(try await hosts[1].news(ofQueues: [], after: first.commits)?.revisions == [:])
        }
    }

    @Test(arguments: [
        (LedgerUse.host(HostIdentity(name: "a")), LedgerUse.host(HostIdentity(name: "a")), "as the host a"),
        (.host(HostIdentity(name: "a")), .alone, "Another daemon uses the ledger"),
        (.alone, .host(HostIdentity(name: "a")), "without --host"),
    ])
    func aLedgerInUseIsRefused(first: LedgerUse, second: LedgerUse, words: String) async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let ledger = try place.opened(for: first)
            let error = #expect(throws: TillError.self) { try place.opened(for: second) }
            #expect(error?.code == .failedPrecondition && error?.message.contains(words) == true)
            await ledger.close()
            await (try place.opened(for: second)).close()
        }
    }

    @Test(arguments: [LedgerUse.alone, .host(HostIdentity(name: "a"))])
    func aDaemonWhoseLedgerAnotherHasOpenedCommitsNothing(_ next: LedgerUse) async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let first = try place.opened(for: .host(HostIdentity(name: "a")), patience: .seconds(1))
            let queue = try await first.makeQueue()
            try place.endSession(ofProcess: first.serverProcess)
            let second = try place.opened(for: next)
            let error = await #expect(throws: (any Error).self) { try await first.add(to: queue) }
            #expect(error is PostgresSessionFailure)
            await second.close()
            await #expect(throws: TillError.self) { try await first.add(to: queue) }
            await first.close()
        }
    }

    /// The lock was free for as long as the session was away.
    @Test func aLoneDaemonNoticesThatAHostWasThere() async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let lone = try place.opened()
            let queue = try await lone.makeQueue()
            try place.endSession(ofProcess: lone.serverProcess)
            let host = try place.opened(for: .host(HostIdentity(name: "a")))
            try await host.add(to: queue)
            await host.close()
            await #expect(throws: PostgresSessionFailure.taken) { try await lone.add(to: queue) }
            await lone.close()
        }
    }

    /// Another host opens the ledger, commits and ends while the session is away: that is its right.
    @Test func aHostThatLostItsSessionContinues() async throws {
        try await withPostgresHosts(2) { hosts, place in
            let queue = try await hosts[0].makeQueue()
            for _ in 0..<3 {
                try place.endSession(ofProcess: hosts[0].serverProcess)
                try await hosts[1].add(to: queue)
                let other = try place.opened(for: .host(HostIdentity(name: "other")))
                try await other.add(to: queue)
                await other.close()
                try await hosts[0].add(to: queue)
            }
            #expect(try await hosts[1].read { try $0.queue(key: queue)?.revision } == 9)
        }
    }

    @Test func hostsAreListedWithWhatTheySaidOfThemselves() async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let said = HostIdentity(name: "b", version: "2.0", catalogue: [1, 2], configuration: [3])
            let first = try place.opened(for: .host(said))
            let second = try place.opened(for: .host(HostIdentity(name: "a", version: "1.0")))
            try await second.add(to: try await second.makeQueue())
            let hosts = try await first.hosts(limit: 8)
            #expect(hosts.map(\.name) == ["a", "b"])
            #expect(hosts.map(\.isLive) == [true, true] && hosts.map(\.isAnswering) == [false, true])
            #expect(hosts.map(\.commits) == [2, 0] && hosts.map(\.version) == ["1.0", "2.0"])
            #expect(hosts.map(\.catalogueHash) == [[], [1, 2]] && hosts.map(\.configurationHash) == [[], [3]])
            #expect(hosts.allSatisfy { abs($0.openedAt.timeIntervalSinceNow) < 60 })
            await second.close()
            while try await first.hosts(limit: 8).contains(where: { $0.name == "a" && $0.isLive }) {
                await Task.yield()
            }
            #expect(try await first.hosts(limit: 1).map(\.name) == ["a"])
            let again = try place.opened(for: .host(HostIdentity(name: "a", version: "1.1")))
            let now = try #require(try await first.hosts(limit: 1).first)
            #expect(now.isLive && now.version == "1.1" && now.commits == 2 && now.openedAt > hosts[0].openedAt)
            await again.close()
            await first.close()
        }
    }

    /// A ledger of the schema before hosts said anything has names alone.
    @Test func aHostOfAnOlderTillHasANameOnly() async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let ledger = try place.opened(for: .host(HostIdentity(name: "b")))
            try place.session().execute(
                "INSERT INTO hosts (name, fence, commits, opened_at) VALUES ('a', 1, 7, to_timestamp(1.5))"
            )
            let old = LedgerHost(
                name: "a",
                isLive: false,
                isAnswering: false,
                openedAt: Date(timeIntervalSince1970: 1.5),
                commits: 7,
                version: "",
                catalogueHash: [],
                configurationHash: []
            )
            #expect(try await ledger.hosts(limit: 8).first == old)
            await ledger.close()
        }
    }

    @Test func aLedgerThatIsNotSharedHasNoHosts() async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let ledger = try place.opened()
            #expect(try await ledger.hosts(limit: 8) == [])
            await ledger.close()
        }
    }

    /// The others wait for a commit, which must end although its host is paused.
    @Test func aHostThatIsPausedWithinACommitHoldsUpTheOthersBriefly() async throws {
        try await withPostgresHosts(2) { hosts, place in
            let queue = try await hosts[0].makeQueue()
            let paused = try PostgresConnection(to: place.address, schema: place.schema)
            try paused.limitPauses()
            try paused.execute("BEGIN")
            try paused.execute("UPDATE meta SET commits = commits + 1")
            let begun = ContinuousClock.now
            try await hosts[1].add(to: queue)
            #expect(begun.duration(to: .now) > .seconds(2), "the other commit was waited for")
            #expect(throws: (any Error).self) { try paused.execute("COMMIT") }
        }
    }
}
