import NIOConcurrencyHelpers
import ProcessTesting
import TestValues
import Testing
import TillEngine

@testable import TillPostgres
@testable import TillSQL

@Suite(
    "Notices of commits",
    .timeLimit(.minutes(2)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct CommitNoticesTests {
    /// The notices of the host `a`, how often they woke it, and a session that sends others.
    private struct Listening {
        let notices: CommitNotices
        let wakes: NIOLockedValueBox<Int>
        /// The server's process of the session that listens.
        let process: NIOLockedValueBox<Int64>
        let place: PostgresPlace
        let session: PostgresConnection

        func send(_ text: String) throws {
            try session.run("SELECT pg_notify(?1, ?2)", [SQLValue("till_commits"), SQLValue(text)]) { _ in }
        }

        func waitForWake(_ number: Int) async {
            while wakes.withLockedValue({ $0 }) < number {
                await Task.yield()
            }
        }
    }

    private static func withNotices(_ body: (Listening) async throws -> Void) async throws {
        try await withPostgresPlace { place in
            let connect = { @Sendable in try PostgresConnection(to: place.address, schema: place.schema) }
            let readers = ReaderPool(patience: .seconds(5), connect: connect)
            let process = NIOLockedValueBox<Int64>(0)
            let notices = CommitNotices(schema: place.schema, host: "a", readers: readers) {
                let connection = try connect()
                process.withLockedValue { $0 = connection.serverProcess }
                return connection
            }
            let wakes = NIOLockedValueBox(0)
            let listening = Listening(
                notices: notices,
                wakes: wakes,
                process: process,
                place: place,
                session: try place.session()
            )
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    await notices.run(if: { $0?.contains(7) ?? true }) { wakes.withLockedValue { $0 += 1 } }
                }
                // The first wake is for commits before this host listened.
                await listening.waitForWake(1)
                try await body(listening)
                group.cancelAll()
            }
            readers.close()
        }
    }

    /// Its own notice shows that notices arrive, and is not news.
    @Test func onlyNoticesOfOtherHostsWakeAHost() async throws {
        try await Self.withNotices { listening in
            while !listening.notices.areArriving {
                await Task.yield()
            }
            #expect(listening.wakes.withLockedValue { $0 } == 1)
            try listening.send("another-schema/b")
            try listening.send("\(listening.place.schema)/a 7")
            try listening.send("\(listening.place.schema)/b 7")
            await listening.waitForWake(2)
            try listening.send("\(listening.place.schema)/b")
            await listening.waitForWake(3)
            #expect(listening.wakes.withLockedValue { $0 } == 3)
        }
    }

    /// The notice after the others shows that they have arrived. One without a list is of an older version.
    @Test(arguments: [
        ("b 7", true), ("b 6,7", true), ("b *", true), ("b", true), ("b 6", false), ("b 77", false), ("b ", false),
    ])
    func aHostIsWokenForQueuesThatItFollows(_ text: String, isWoken: Bool) async throws {
        try await Self.withNotices { listening in
            try listening.send("\(listening.place.schema)/\(text)")
            try listening.send("\(listening.place.schema)/b 7")
            await listening.waitForWake(isWoken ? 3 : 2)
            #expect(listening.wakes.withLockedValue { $0 } == (isWoken ? 3 : 2))
        }
    }

    @Test func aHostWhoseConnectionEndsListensAgain() async throws {
        try await Self.withNotices { listening in
            try listening.place.endSession(ofProcess: listening.process.withLockedValue { $0 })
            await listening.waitForWake(2)
            try listening.send("\(listening.place.schema)/b")
            await listening.waitForWake(3)
        }
    }

    /// One look may be for several commits, but each commit has one after it.
    @Test func everyCommitIsSeen() async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let (first, second) = (
                try place.opened(for: .host(HostIdentity(name: "a"))),
                try place.opened(for: .host(HostIdentity(name: "b")))
            )
            let queue = try await first.makeQueue()
            let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { await second.followOthers(if: { $0?.contains(queue) ?? true }) { look.yield() } }
                var seen: UInt64 = 0
                var iterator = looks.makeAsyncIterator()
                for revision in UInt64(1)...20 {
                    try await first.commit { _ = try $0.advanceRevision(ofQueue: queue) }
                    while seen < revision {
                        #expect(await iterator.next() != nil)
                        seen = try await second.news(ofQueues: [queue], after: nil)?.revisions[queue] ?? seen
                    }
                }
                #expect(seen == 20)
                group.cancelAll()
            }
            await first.close()
            await second.close()
        }
    }

    @Test func aLedgerThatIsNotSharedHasNothingToFollow() async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let ledger = try place.opened()
            await ledger.followOthers(if: { _ in true }) { Issue.record("nobody else commits") }
            await ledger.close()
        }
    }
}
