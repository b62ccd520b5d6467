import FoundationEssentials
import ProcessTesting
import Testing
import TillEngine
import TillModel
import TillPostgres

@Suite(
    "Downloads in a PostgreSQL ledger of several hosts",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresHostDownloadTests {
    @Test func eachHostHasADownloadOfItsOwn() async throws {
        try await withPostgresHosts(2) { hosts, _ in
            let record = try await hosts[0].insert(.sample(hosts[0].makeQueue(), revision: 1, state: .purchased))
            let waiting = try await Self.make(.sample(record, revision: 2), at: hosts[0])
            var active = waiting
            active.state = .active
            active.revision = 3
            active.run = 1
            active.deadline = time(9)
            var finished = waiting
            finished.state = .finished
            finished.revision = 4
            finished.path = "/content"
            finished.size = 17
            for (host, download) in zip(hosts, [active, finished]) {
                try await host.commit { try $0.update(download) }
            }
            let account = someQueue.account
            for (host, download, bytes) in [(hosts[0], active, waiting.content.length), (hosts[1], finished, 17)] {
                try await host.read { reader throws in
                    #expect(try reader.download(waiting.id) == download)
                    #expect(try reader.downloads(ofTransaction: record.key) == [download])
                    #expect(try reader.downloads(in: record.queue, afterKey: 0, limit: 9) == [download])
                    #expect(try reader.downloads(in: record.queue, changedAfter: 2, limit: 9) == [download])
                    #expect(try reader.downloads(in: record.queue, changedAfter: 4, limit: 9).isEmpty)
                    #expect(try reader.activeDownloads(limit: 9) == (download.state == .active ? [download] : []))
                    #expect(try reader.downloadIDs() == [waiting.id])
                    #expect(try reader.downloadBytes(ofAccount: account) == bytes)
                }
            }
        }
    }

    @Test func whatAHostHasNotBegunWaitsThere() async throws {
        try await withPostgresHosts(2) { hosts, _ in
            let record = try await hosts[0].insert(.sample(hosts[0].makeQueue(), revision: 1, state: .purchased))
            let waiting = try await Self.make(.sample(record, revision: 2), at: hosts[0])
            var finished = waiting
            finished.state = .finished
            finished.revision = 3
            let stored = finished
            try await hosts[0].commit { try $0.update(stored) }
            try await hosts[1].read { reader throws in
                #expect(try reader.download(waiting.id) == waiting)
                #expect(try reader.downloads(in: record.queue, changedAfter: 2, limit: 9).isEmpty)
                #expect(try reader.downloadIDs().isEmpty, "it has files")
                #expect(try reader.downloadBytes(ofAccount: someQueue.account) == 0)
            }
        }
    }

    /// What a daemon had downloaded alone is at none of the hosts that follow it.
    @Test func whatADaemonHadAloneWaitsAtHosts() async throws {
        try await withPostgresLedger { ledger, place in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1, state: .purchased))
            let whole = try await ledger.insert([.whole(record)])[0]
            await ledger.close()
            let host = try place.opened(for: .host(HostIdentity(name: "a")))
            let found = try #require(await host.read { try $0.download(whole.id) })
            var expected = DownloadRecord.sample(record, revision: whole.revision)
            expected.key = whole.key
            expected.id = whole.id
            expected.content = whole.content
            expected.sha256 = whole.sha256
            expected.productID = whole.productID
            #expect(found == expected)
            await host.close()
        }
    }

    /// The pages of one host are complete and in order, whatever the others change. Those that it has changed come late.
    @Test(arguments: [1, 2, 3, 20])
    func changesComeOnceAndInOrder(limit: Int) async throws {
        try await withPostgresHosts(2) { hosts, _ in
            let record = try await hosts[0].insert(.sample(hosts[0].makeQueue(), revision: 1, state: .purchased))
            let made = try await hosts[0].commit { writer in
                try (2...13).map { try Self.make(.sample(record, revision: $0), writer) }
            }
            var generator = SystemRandomNumberGenerator()
            var expected = [made, made]
            for revision in UInt64(14)..<34 {
                let host = Int.random(in: 0...1, using: &generator)
                let index = Int.random(in: made.indices, using: &generator)
                expected[host][index].state = .paused
                expected[host][index].revision = revision
                let changed = expected[host][index]
                try await hosts[host].commit { try $0.update(changed) }
            }
            for (host, downloads) in zip(hosts, expected) {
                var pages: [DownloadRecord] = []
                while true {
                    let after = pages.last?.revision ?? 0
                    let page = try await host.read {
                        try $0.downloads(in: record.queue, changedAfter: after, limit: limit)
                    }
                    guard !page.isEmpty else {
                        break
                    }
                    #expect(page.count <= limit)
                    pages += page
                }
                #expect(pages == downloads.sorted { $0.revision < $1.revision })
            }
        }
    }

    @Test func whatEndsAtOneHostIsLeftToTheOthersToRemove() async throws {
        try await withPostgresHosts(3) { hosts, place in
            let queue = try await hosts[0].makeQueue()
            let records = try await hosts[0].insert([.sample(queue, revision: 1), .sample(queue, revision: 2)])
            let ended = try await Self.make(.sample(records[0]), at: hosts[0])
            let kept = try await Self.make(.sample(records[1]), at: hosts[0])
            for host in hosts[..<2] {
                for download in [ended, kept] {
                    try await host.commit { writer in
                        var begun = download
                        begun.state = .active
                        try writer.update(begun)
                    }
                }
            }
            try await hosts[0].commit { try $0.deleteDownloads(ofTransaction: records[0].key) }
            let left = EndedDownload(key: ended.key, id: ended.id, queue: queue)
            for (host, expected) in zip(hosts, [[], [left], []]) {
                try await host.read { reader throws in
                    #expect(try reader.endedDownloads(limit: 9) == expected)
                    #expect(try reader.download(ended.id) == nil)
                    #expect(try !reader.downloadIDs().contains(ended.id))
                    #expect(try !reader.activeDownloads(limit: 9).contains { $0.id == ended.id })
                    #expect(try reader.downloads(in: queue, changedAfter: 0, limit: 9).allSatisfy { $0.id == kept.id })
                }
            }
            let error = await #expect(throws: TillError.self) { try await hosts[1].commit { try $0.update(ended) } }
            #expect(error?.code == .notFound, "it begins again")
            try await hosts[1].commit { try $0.deleteEndedDownload(ended.key) }
            #expect(try await hosts[1].read { try $0.endedDownloads(limit: 9) } == [])
            for host in hosts {
                await host.close()
            }
            let lone = try place.opened()
            try await lone.commit { try $0.deleteDownloads(ofTransaction: records[1].key) }
            await lone.close()
            let again = try place.opened(for: .host(HostIdentity(name: "a")))
            #expect(try await again.read { try $0.endedDownloads(limit: 9) }.map(\.id) == [kept.id])
            await again.close()
        }
    }

    /// Inserts a download that no host has begun.
    private static func make(_ download: DownloadRecord, at host: PostgresLedger) async throws -> DownloadRecord {
        try await host.commit { try make(download, $0) }
    }

    private static func make(_ download: DownloadRecord, _ writer: any LedgerWriter) throws -> DownloadRecord {
        var made = download
        made.key = try writer.insert(download)
        return made
    }
}
