import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient
import TillModel
import TillProviders

/// Hosts that share the simulated store: its record, its settings and its clock.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct SimulatedHostTests {
    /// The provider is the same at every host: what one has charged, another refunds, compares and does not charge again.
    @Test func whatOneHostHasChargedAnotherRefunds() async throws {
        try await HostSite.with(isSimulated: true) { hosts in
            let daemons = try await hosts.start(all: ["a", "b"])
            let (here, there, store) = (hosts.queue("a"), hosts.queue("b"), hosts.store("b"))
            let payments = (0..<8).map { _ in Payment(productID: TestStore.coins) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for payment in payments {
                    for queue in [here, there] {
                        group.addTask {
                            let state = try await queue.purchase(payment).state
                            #expect(state == .purchased)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let refunded = try await store.refund(RefundOrder(transactionID: payments[0].id), because: "A test.")
            #expect(refunded.refund.state == .succeeded)
            try await requireAgreement(onCharges: 8, hosts, "a")
            #expect(try await Self.record(hosts) == ["8|1|7.92"])
            #expect(!FileManager.default.fileExists(atPath: "\(hosts.state(of: "a"))/simulated-charges.jsonl"))
            let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tilld'"
            #expect(try await Self.integer(connections, hosts) <= 7 * daemons.count)
            await here.close()
            await there.close()
            await store.close()
            for daemon in daemons {
                try await hosts.site.stop(daemon)
            }
        }
    }

    /// The charge of a host that is killed before it learns the outcome of it is another host's, and made once.
    @Test func anotherHostEndsTheChargeOfAKilledOne() async throws {
        try await HostSite.with(isSimulated: true) { hosts in
            let daemons = try await hosts.start(all: ["a", "b"])
            let (here, there) = (hosts.queue("a"), hosts.queue("b"))
            let payment = Payment(productID: TestStore.timeoutAfter[0])
            _ = try await here.add(payment)
            try await hosts.waitUntil("SELECT EXISTS (SELECT FROM till.simulated_entries)")
            await daemons[0].killNow()
            #expect(try await there.purchase(payment).state == .purchased)
            try await requireAgreement(onCharges: 1, hosts, "b")
            await here.close()
            await there.close()
        }
    }

    /// A setting is in force at every host once the call that changes it is answered.
    @Test func aSettingThatOneHostChangesIsInForceAtTheOthers() async throws {
        try await HostSite.with(isSimulated: true) { hosts in
            _ = try await hosts.start(all: ["a", "b"])
            let (store, other, there) = (hosts.store("a"), hosts.store("b"), hosts.queue("b"))
            for round in 0..<20 {
                let fails = round.isMultiple(of: 2)
                try await store.changeSettings(["fail-transactions": "\(fails)"], because: "A test.")
                let state: TransactionState
                do {
                    state = try await there.purchase(Payment(productID: TestStore.coins)).state
                } catch {
                    state = .failed
                }
                #expect(state == (fails ? .failed : .purchased), "round \(round)")
            }
            try await store.changeSettings(["provider-decline": TestStore.coins], because: "A test.")
            var isFollowed = false
            for _ in 0..<1000 where !isFollowed {
                await Alarm.after(.milliseconds(10))
                isFollowed = try await other.settings().contains { $0.name == "provider-decline" && $0.isChanged }
            }
            #expect(isFollowed, "calls that only read do not follow")
            await store.close()
            await other.close()
            await there.close()
        }
    }

    /// Advancing the clock at one host advances it at all, and renews a subscription once for each period, whichever host does.
    @Test func theClockIsTheSameAtEveryHost() async throws {
        try await HostSite.with(isSimulated: true) { hosts in
            try Data(Self.subscriptionCatalogue.utf8).write(to: URL(filePath: hosts.site.catalogue))
            _ = try await hosts.start(all: ["a", "b"])
            let (store, other, there) = (hosts.store("a"), hosts.store("b"), hosts.queue("b"))
            #expect(try await there.purchase(Payment(productID: "org.example.monthly")).state == .purchased)
            for year in 1...3 {
                let teller = year == 2 ? other : store
                let reading = try await teller.advanceClock(by: .seconds(365 * 86400), because: "A test.")
                #expect(reading.offset == .seconds(year * 365 * 86400))
                let count = try await Self.integer("SELECT count(*) FROM till.simulated_entries", hosts)
                #expect((12 * year...12 * year + 1).contains(count), "\(count) charges after \(year) years")
            }
            while try await other.clock().offset < .seconds(3 * 365 * 86400) {
                await Alarm.after(.milliseconds(5))
            }
            let bought = try await there.purchase(Payment(productID: "org.example.coins"))
            let late = try #require(bought.purchase?.transactionDate)
            #expect(late.timeIntervalSinceNow > 3 * 364 * 86400, "the purchase has the date \(late)")
            let count = try await Self.integer("SELECT count(*) FROM till.simulated_entries", hosts)
            try await requireAgreement(onCharges: count, hosts, "b")
            await store.close()
            await other.close()
            await there.close()
        }
    }

    /// What a daemon has charged alone stays charged when it becomes a host, and when the ledger moves back into a file.
    @Test func theRecordGoesWhereTheLedgerIsShared() async throws {
        try await HostSite.with(isSimulated: true) { hosts in
            let site = hosts.site
            let ledger = ["--ledger", hosts.address]
            let alone = try await site.startServingDaemon(ledger)
            let bought = try await site.till(["buy", TestStore.coins, "--application", Site.application])
            #expect(bought.exit == .status(0), "\(bought.lines)")
            try await site.stop(alone)

            let host = try await site.startServingDaemon(ledger + ["--host", "a"])
            let more = try await site.till(["buy", TestStore.pro, "--application", Site.application])
            #expect(more.exit == .status(0), "\(more.lines)")
            let books = try await site.till(["reconcile"])
            #expect(books.lines.contains("The ledger and the provider agree: 2 charges compared."), "\(books.lines)")
            #expect(try await Self.record(hosts) == ["2|0|15.98"])
            try await site.stop(host)

            let refused = try site.startDaemon(ledger)
            #expect(await refused.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("The simulated provider's record is in the database"))

            let other = site.path("other")
            let stranger = try site.startDaemon(state: other, socket: site.path("other.sock"))
            try await site.waitUntilServing(at: site.path("other.sock"))
            try await site.stop(stranger)
            let unmoved = try await site.result(
                of: Binaries.daemon,
                ["migrate", "--from", hosts.address, "--to", other]
            )
            #expect(unmoved.exit == .status(EX_CANTCREAT), "\(unmoved.lines)")
            #expect(try SimulatedRecord.entries(in: other) == [], "another ledger got the record")

            let target = site.path("moved")
            let moved = try await site.result(
                of: Binaries.daemon,
                ["migrate", "--from", hosts.address, "--to", target]
            )
            #expect(moved.exit == .status(0), "\(moved.lines)")
            let check = try await site.result(of: Binaries.daemon, ["reconcile", "--state", target])
            #expect(check.exit == .status(0), "\(check.lines)")
            #expect(check.lines.contains { $0.contains("2 charges") }, "\(check.lines)")
        }
    }

    private func requireAgreement(onCharges count: Int, _ hosts: HostSite, _ host: String) async throws {
        let books = try await hosts.till(["reconcile"], at: host)
        let charges = count == 1 ? "1 charge" : "\(count) charges"
        #expect(books.lines == ["The ledger and the provider agree: \(charges) compared."])
    }

    /// How many charges and refunds are recorded, and the sum of the charges.
    private static func record(_ hosts: HostSite) async throws -> [String] {
        try await hosts.site.query(
            """
            SELECT count(*) FILTER (WHERE refund_id IS NULL), count(refund_id),
                round(sum(amount) FILTER (WHERE refund_id IS NULL) / 100.0, 2)
            FROM till.simulated_entries
            """,
            at: hosts.database
        )
    }

    private static func integer(_ sql: String, _ hosts: HostSite) async throws -> Int {
        let lines = try await hosts.site.query(sql, at: hosts.database)
        return try #require(lines.first.flatMap { Int($0) })
    }

    private static let subscriptionCatalogue = """
        {"identifier": "HOSTS", "nonRenewingSubscriptions": [], "products": [{"displayPrice": "0.99", "internalID": "1",
        "localizations": [], "productID": "org.example.coins", "referenceName": "Coins", "type": "Consumable"}],
        "settings": {"_storefront": "USA", "_locale": "en_US"}, "subscriptionGroups": [{"id": "A", "localizations": [],
        "name": "Sync", "subscriptions": [{"displayPrice": "1.99", "groupNumber": 1, "internalID": "2", "localizations": [],
        "productID": "org.example.monthly", "recurringSubscriptionPeriod": "P1M", "referenceName": "Sync",
        "subscriptionGroupID": "A", "type": "RecurringSubscription"}]}], "version": {"major": 3, "minor": 0}}
        """
}
