import ContentServer
import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient
import TillModel

/// Hosted content of hosts that share a ledger: each downloads for itself.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct ContentHostTests {
    private static let slow = Reply {
        $0.pauseMilliseconds = 20
        $0.chunkBytes = 4 << 10
    }
    private static let content = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) }

    @Test func eachHostDownloadsForItselfAndRemovesWhatAnyFinishes() async throws {
        try await Self.withContent { hosts, server in
            let daemons = try await hosts.start(all: ["a", "b"])
            let queues = [hosts.queue("a"), hosts.queue("b")]
            let bought = try await queues[0].purchase(Payment(productID: TestStore.pro))
            var paths: [String] = []
            for queue in queues {
                let waiting = try #require(try await Self.download(queue))
                #expect(waiting.state == .waiting && waiting.transactionID == bought.id, "\(waiting)")
                try await queue.start([waiting])
                paths.append(try await Self.wholeContent(queue))
            }
            #expect(zip(paths, ["a", "b"]).allSatisfy { $0.hasPrefix(hosts.state(of: $1)) }, "\(paths)")
            #expect(server.requests.count == 2)
            try await queues[1].finish(bought)
            try await Self.waitUntilRemoved(hosts)
            for queue in queues {
                #expect(try await Self.download(queue) == nil)
                await queue.close()
            }
            for daemon in daemons {
                try await hosts.site.stop(daemon)
            }
        }
    }

    @Test func theOperatorPageSaysWhoseDownloadsItShows() async throws {
        try await Self.withContent { hosts, _ in
            let address = "127.0.0.1:\(try await LoopbackPort.free())"
            let daemon = try await hosts.start("a", ["--host-users", "same", "--console-address", address])
            let queue = hosts.queue("a")
            _ = try await queue.purchase(Payment(productID: TestStore.pro))
            await queue.close()
            let page = try await ConsoleClient(hosts.store("a"))
            let view = try await page.get("/view/queue?application=\(Site.application)&account=uid:\(getuid())")
            #expect(view.text.contains("Downloads at the host a") && view.text.contains("templates"), "\(view.text)")
            try await hosts.site.stop(daemon)
        }
    }

    /// A host that is downloading stops; one that was killed removes the files once it is back.
    @Test(arguments: [false, true])
    func aDownloadEndsWhenItsTransactionIsFinishedElsewhere(isKilled: Bool) async throws {
        try await Self.withContent(Self.slow) { hosts, server in
            let daemons = try await hosts.start(all: ["a", "b"])
            let (here, there) = (hosts.queue("a"), hosts.queue("b"))
            let bought = try await here.purchase(Payment(productID: TestStore.pro))
            try await here.start([#require(try await Self.download(here))])
            _ = try await Self.download(here, until: { $0.receivedBytes > 0 })
            if isKilled {
                await daemons[0].killNow()
                #expect(!Site.contentFiles(inState: hosts.state(of: "a")).isEmpty)
            }
            try await there.finish(bought)
            let running = isKilled ? try await hosts.start("a") : daemons[0]
            try await Self.waitUntilRemoved(hosts)
            let again = hosts.queue("a")
            #expect(try await Self.download(again) == nil)
            try await hosts.waitUntil("SELECT NOT EXISTS (SELECT FROM till.host_downloads)")
            #expect(server.requests.count == 1)
            for queue in [here, there, again] {
                await queue.close()
            }
            for daemon in [running, daemons[1]] {
                try await hosts.site.stop(daemon)
            }
        }
    }

    @Test func noProgressFollowsTheRemovalOfATransactionThatWasFinishedElsewhere() async throws {
        try await Self.withContent(Self.slow) { hosts, _ in
            _ = try await hosts.start(all: ["a", "b"])
            let (here, there) = (hosts.queue("a"), hosts.queue("b"))
            let bought = try await here.purchase(Payment(productID: TestStore.pro))
            try await here.start([#require(try await Self.download(here))])
            let later = Payment(productID: TestStore.coins)
            var reports = 0
            var isRemoved = false
            changes: for try await change in here.changes {
                switch change {
                case .downloadsUpdated(let downloads):
                    #expect(!isRemoved, "\(downloads)")
                    reports += 1
                    if reports == 5 {
                        try await there.finish(bought)
                    }
                case .removed(let transactions) where transactions.contains { $0.id == bought.id }:
                    isRemoved = true
                    try await Self.waitUntilRemoved(hosts)
                    _ = try await here.add(later)
                case .updated(let transactions) where transactions.contains { $0.id == later.id }:
                    break changes
                default:
                    continue
                }
            }
            #expect(isRemoved && reports >= 5)
            await here.close()
            await there.close()
        }
    }

    /// Hosts with a simulated store that hosts content for a product.
    static func withContent(
        ofProduct product: String = TestStore.pro,
        _ replies: Reply...,
        body: (HostSite, ContentServer) async throws -> Void
    ) async throws {
        let server = try await ContentServer()
        server.put("/content", ServedBytes(content), replies: replies)
        try await HostSite.with(isSimulated: true) { hosts in
            try hosts.site.host(content, ofProduct: product, at: server.address("/content"))
            try await body(hosts, server)
        }
        await server.shutDown()
    }

    /// The queue's first download, or that of a transaction.
    static func download(_ queue: PaymentQueue, of transaction: UUID? = nil) async throws -> Download? {
        try await queue.downloads.first { transaction == nil || $0.transactionID == transaction }
    }

    /// Waits while the download is active and does not meet the condition.
    private static func download(
        _ queue: PaymentQueue,
        of transaction: UUID? = nil,
        until condition: (Download) -> Bool
    ) async throws -> Download {
        while true {
            let download = try #require(try await download(queue, of: transaction))
            if condition(download) {
                return download
            }
            try #require(download.state == .active, "\(download)")
            await Alarm.after(.milliseconds(10))
        }
    }

    /// Waits for the download, expects the whole content, and returns its path.
    static func wholeContent(_ queue: PaymentQueue, of transaction: UUID? = nil) async throws -> String {
        let finished = try await download(queue, of: transaction) { $0.state == .finished }
        let path = try #require(finished.contentPath)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == content, "\(path)")
        return path
    }

    static func waitUntilRemoved(_ hosts: HostSite, _ names: [String] = ["a", "b"]) async throws {
        while !names.flatMap({ Site.contentFiles(inState: hosts.state(of: $0)) }).isEmpty {
            await Alarm.after(.milliseconds(20))
        }
    }
}
