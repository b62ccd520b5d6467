import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import StripeStandIn
import Testing
import TillAudit
import TillClient
import TillModel
import TillSQL

/// Runs daemons of several hosts that share a ledger.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct HostTests {
    @Test func whatOneHostSellsAnotherDeliversAndFinishes() async throws {
        try await HostSite.with { hosts in
            _ = try await hosts.start(all: ["a", "b"])
            let (here, there) = (hosts.queue("a"), hosts.queue("b"))
            let payment = Payment(productID: TestStore.coins)
            #expect(try await here.add(payment).state == .purchasing)
            // The same identity is the same payment at every host.
            async let bought = there.purchase(payment)
            let page = try await hosts.page(of: payment.id, at: "a")
            #expect(hosts.stripe.pay(page) == .completed)
            #expect(try await bought.state == .purchased)
            try await there.finish(id: payment.id)
            let store = TillOperator(here.configuration)
            while try await store.explanation(ofTransaction: payment.id).transaction.isFinished == false {
                await Alarm.after(.milliseconds(5))
            }
            #expect(hosts.stripe.movements().map(\.amount) == [99])
            #expect(hosts.stripe.requests().count { $0.path == "/v1/checkout/sessions" && $0.method == "POST" } == 1)
            await store.close()
            await here.close()
            await there.close()
        }
    }

    /// The observer at one host gets what calls at the other change.
    @Test func aFinishAtOneHostIsRemovedAtTheOther() async throws {
        try await HostSite.with { hosts in
            _ = try await hosts.start(all: ["a", "b"])
            let (here, there) = (hosts.queue("a"), hosts.queue("b"))
            let payments = (0..<8).map { _ in Payment(productID: TestStore.coins) }
            for payment in payments {
                async let bought = here.purchase(payment)
                #expect(hosts.stripe.pay(try await hosts.page(of: payment.id, at: "a")) == .completed)
                #expect(try await bought.state == .purchased)
            }
            var begun: [UUID: ContinuousClock.Instant] = [:]
            var waits: [Duration] = []
            for try await change in there.changes {
                switch change {
                case .initialDeliveryEnded: break
                case .removed(let transactions):
                    waits += transactions.compactMap { begun[$0.id]?.duration(to: .now) }
                default: continue
                }
                guard let next = payments.first(where: { begun[$0.id] == nil }) else {
                    break
                }
                begun[next.id] = .now
                try await here.finish(id: next.id)
            }
            #expect(waits.count == payments.count)
            print("From a finish at one host to its callback at another: \(waits.sorted())")
            await here.close()
            await there.close()
        }
    }

    /// The host is killed while its payer is on the page, or while it waits for Stripe's answer to the first call.
    @Test(arguments: [true, false])
    func anotherHostEndsThePaymentOfAKilledOne(hasPage: Bool) async throws {
        try await HostSite.with { hosts in
            let daemons = try await hosts.start(all: ["a", "b"])
            let (here, there) = (hosts.queue("a"), hosts.queue("b"))
            if !hasPage {
                hosts.stripe.addFault(Fault(.hang(.before), path: "/v1/checkout/sessions"))
            }
            let payment = Payment(productID: TestStore.coins)
            _ = try await here.add(payment)
            if hasPage {
                _ = try await hosts.page(of: payment.id, at: "a")
            } else {
                while !hosts.stripe.requests().contains(where: { $0.path == "/v1/checkout/sessions" }) {
                    await Alarm.after(.milliseconds(5))
                }
            }
            await daemons[0].killNow()
            let killed = ContinuousClock.now
            async let bought = there.purchase(payment)
            let page = try await hosts.page(of: payment.id, at: "b")
            #expect(hosts.stripe.pay(page) == .completed)
            #expect(try await bought.state == .purchased)
            print("Settled \(killed.duration(to: .now)) after the host was killed")
            #expect(hosts.stripe.movements().map(\.amount) == [99])
            await here.close()
            await there.close()
        }
    }

    /// Without an agent anywhere, the purchase is deferred. An agent that ends with its host asks nobody any more.
    @Test func anAgentAtAnotherHostAsksThePayer() async throws {
        try await HostSite.with { hosts in
            let daemons = try await hosts.start(all: ["a", "b"])
            let queue = hosts.queue("a")
            let agents = """
                EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = \(SharedAgents.lockClass))
                """
            #expect(try await Self.stateOfWaiting(hosts, queue) == .deferred)
            let agent = try hosts.site.start(
                "till",
                Binaries.command,
                ["agent", "--socket", hosts.socket(of: "b"), "--yes"],
                log: "agent.log"
            )
            try await hosts.waitUntil("SELECT \(agents)")
            #expect(try await Self.stateOfWaiting(hosts, queue) == .purchasing)
            await daemons[1].killNow()
            try await hosts.waitUntil("SELECT NOT \(agents)")
            #expect(try await Self.stateOfWaiting(hosts, queue) == .deferred)
            await agent.killNow()
            await queue.close()
        }
    }

    /// Adds a payment at host `a`, and returns its state once it waits for its payer.
    private static func stateOfWaiting(_ hosts: HostSite, _ queue: PaymentQueue) async throws -> TransactionState {
        let payment = Payment(productID: TestStore.coins)
        _ = try await queue.add(payment)
        let store = TillOperator(queue.configuration)
        var found = try await store.explanation(ofTransaction: payment.id)
        while !found.sentence.contains("waits for its payer") {
            await Alarm.after(.milliseconds(5))
            found = try await store.explanation(ofTransaction: payment.id)
        }
        await store.close()
        return found.transaction.state
    }

    @Test func hostsAreListedWithTheirDifferences() async throws {
        try await HostSite.with { hosts in
            let daemons = try await hosts.start(all: ["a", "b"])
            let alike = try await hosts.till(["hosts"], at: "b")
            #expect(alike.exit == .status(0) && alike.lines.count == 3, "\(alike.lines)")
            #expect(alike.lines[1].contains(#/^a +live /#) && alike.lines[2].contains(#/^b \* +live /#))
            daemons[0].signal(SIGTERM)
            #expect(await daemons[0].exit() == .status(0))
            _ = try await hosts.start("a", ["--host-users", "same", "--restore-deadline", "7"])
            let listed = try await hosts.till(["hosts", "--json"], at: "b")
            #expect(listed.lines.count { $0.contains(#""is_live":true"#) } == 2)
            #expect(listed.lines.contains("till: The live hosts have different configurations: make them the same."))
            #expect(try hosts.site.log().contains("The live hosts have different configurations"))
        }
    }

    @Test func usersOfSeparateHostsHaveAccountsOfTheirOwn() async throws {
        try await HostSite.with { hosts in
            _ = try await hosts.start("a", [])
            let queue = hosts.queue("a")
            let payment = Payment(productID: TestStore.coins)
            _ = try await queue.add(payment)
            let store = TillOperator(queue.configuration)
            #expect(try await store.explanation(ofTransaction: payment.id).account == "uid:\(getuid())@a")
            await store.close()
            await queue.close()
        }
    }

    /// One chain has the actions of all hosts.
    @Test func theAuditLogNamesTheHostOfAnOperator() async throws {
        try await HostSite.with { hosts in
            _ = try await hosts.start(all: ["a", "b"])
            let queue = hosts.queue("a")
            let payment = Payment(productID: TestStore.coins)
            async let bought = queue.purchase(payment)
            #expect(hosts.stripe.pay(try await hosts.page(of: payment.id, at: "a")) == .completed)
            #expect(try await bought.state == .purchased)
            let id = payment.id.text
            let rebuilt = try await hosts.till(["receipt", "rebuild", id, "--reason", "test"], at: "a")
            #expect(rebuilt.exit == .status(0), "\(rebuilt.lines)")
            let refunded = try await hosts.till(["refund", id, "--reason", "test"], at: "b")
            #expect(refunded.exit == .status(0), "\(refunded.lines)")
            let store = TillOperator(queue.configuration)
            var links: [AuditLink] = []
            for try await link in store.auditLog() {
                links.append(link)
            }
            #expect(links.map(\.host) == ["a", "b"])
            let last = try #require(links.last)
            #expect(AuditChain.verify(links, after: .start) == .intact(AuditHead(sequence: 2, hash: last.hash)))
            let verified = try await hosts.till(["audit", "verify"], at: "a")
            #expect(verified.exit == .status(0), "\(verified.lines)")
            let actors = try await store.explanation(ofTransaction: payment.id).history.map(\.actor)
            #expect(Set(actors).isSuperset(of: ["uid:\(getuid())@a", "uid:\(getuid())@b"]))
            await store.close()
            await queue.close()
        }
    }

    @Test func aClockThatDiffersFromTheDatabaseIsNoticed() async throws {
        try await HostSite.with { hosts in
            let clock = try await WallClock(site: hosts.site)
            try clock.set(offset: .seconds(5))
            let refused = try hosts.startDaemon("a", environment: clock.environment)
            #expect(await refused.exit() == .status(EX_CANTCREAT))
            #expect(try hosts.site.log().contains("The clock of this host and that of PostgreSQL differ by 5 s"))
            try clock.set(offset: .zero)
            _ = try hosts.startDaemon("a", environment: clock.environment)
            try await hosts.site.waitUntilServing(at: hosts.socket(of: "a"))
            try clock.set(offset: .seconds(-5))
            try await hosts.site.waitUntilLogged(#"clock differs from PostgreSQL's: set it clock.difference="-5 s""#)
            try clock.set(offset: .zero)
            try await hosts.site.waitUntilLogged("This host's clock agrees with PostgreSQL's again")
        }
    }

    @Test func aHostWithOtherCertificatesIsRefused() async throws {
        try await HostSite.with { hosts in
            _ = try await hosts.start("a")
            let other = try hosts.startDaemon("b")
            #expect(await other.exit() == .status(EX_CANTCREAT))
            #expect(try hosts.site.log().contains("end in another root than those of the other hosts"))
        }
    }

    @Test func twoDaemonsCannotBeTheSameHost() async throws {
        try await HostSite.with { hosts in
            _ = try await hosts.start("a")
            let state = hosts.site.path("second")
            let second = try hosts.startDaemon("a", ["--state", state, "--socket", hosts.site.path("second.sock")])
            #expect(await second.exit() == .status(EX_CANTCREAT))
            #expect(try hosts.site.log().contains("as the host a"))
        }
    }

    static let refusals: [(options: [String], words: String)] = [
        (["--host", "a"], "host is set, but hosts share a ledger in PostgreSQL only"),
        (["--host", "a b"], "letters, digits, hyphens, dots and underscores"),
        (["--host", String(repeating: "a", count: 64)], "letters, digits, hyphens, dots and underscores"),
    ]

    @Test(arguments: refusals)
    func whatHostsCannotShareIsRefused(options: [String], words: String) async throws {
        try await Site.with { site in
            let daemon = try site.startDaemon(options)
            #expect(await daemon.exit() == .status(EX_CONFIG))
            let log = try site.log()
            #expect(log.contains(words), "\(log)")
        }
    }
}
