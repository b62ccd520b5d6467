import FaultRuns
import Foundation
import ProcessTesting
import StripeStandIn
import TestValues
import TillClient
import TillModel

/// The provider of hosts that fail: how it fails itself, what its payers do, and what it has charged.
protocol HostProvider {
    func product(_ random: inout SplitMix64) -> String
    func plantFault(_ random: inout SplitMix64)
    /// Nothing fails any more.
    func endFaults()
    /// - Parameter host: One that can be asked.
    mutating func letPayersAct(on payments: [UUID], at host: String, _ random: inout SplitMix64) async
    /// How often each payment was charged.
    func charges() async throws -> [UUID: Int]
}

/// The stand-in for Stripe.
struct StripeHostProvider: HostProvider {
    private static let methods = ["pm_card_visa", "pm_card_visa", "pm_card_visa_chargeDeclined", "pm_bank_debit"]
    private static let faults: [Fault.Kind] = [
        .hang(.before), .hang(.after), .reset(.before), .reset(.after), .error(500, .before), .error(500, .after),
        .late(seconds: 3), .rateLimit, .keyInUse,
    ]
    private static let paths = ["/v1/checkout/sessions", "/v1/payment_intents", "/v1/"]

    private let hosts: HostSite
    /// The pages whose names are in the ledger: payers are shown no others.
    private var pages: [UUID: String] = [:]

    init(_ hosts: HostSite) {
        self.hosts = hosts
        // Keys are forgotten within a second, as after a day.
        hosts.stripe.change { settings in
            settings.keyLifetime = 1
            settings.processingDuration = 2
        }
    }

    func product(_ random: inout SplitMix64) -> String {
        TestStore.coins
    }

    func plantFault(_ random: inout SplitMix64) {
        let kind = Self.faults[Int.random(in: 0..<Self.faults.count, using: &random)]
        let path = Self.paths[Int.random(in: 0..<Self.paths.count, using: &random)]
        hosts.stripe.addFault(Fault(kind, path: path, skip: Int.random(in: 0...3, using: &random)))
    }

    func endFaults() {
        hosts.stripe.clearFaults()
        hosts.stripe.releaseHeld()
    }

    mutating func letPayersAct(on payments: [UUID], at host: String, _ random: inout SplitMix64) async {
        let store = hosts.store(host, callTimeout: .seconds(5))
        for payment in payments where pages[payment] == nil {
            pages[payment] = try? await store.explanation(ofTransaction: payment).charges.compactMap(\.reference).first
        }
        await store.close()
        let open = Set(hosts.stripe.openSessions())
        for page in pages.values.sorted() where open.contains(page) && Int.random(in: 0..<4, using: &random) > 0 {
            _ = hosts.stripe.pay(page, with: Self.methods[Int.random(in: 0..<Self.methods.count, using: &random)])
        }
    }

    func charges() -> [UUID: Int] {
        let payments = hosts.stripe.movements().filter { $0.kind == .charge }.compactMap { movement in
            hosts.stripe.object(movement.intent)?["metadata"]["till_payment"].string.flatMap(UUID.init(uuidString:))
        }
        return Dictionary(payments.map { ($0, 1) }, uniquingKeysWith: +)
    }
}

/// The simulated store, which fails by product, and whose record is in the ledger's database.
struct SimulatedHostProvider: HostProvider {
    private static let products =
        [
            TestStore.coins, TestStore.declined[0], TestStore.timeoutBefore[0], TestStore.timeoutAfter[0],
            TestStore.slow[0],
        ]

    private let hosts: HostSite

    init(_ hosts: HostSite) {
        self.hosts = hosts
    }

    func product(_ random: inout SplitMix64) -> String {
        Self.products[Int.random(in: 0..<Self.products.count, using: &random)]
    }

    func plantFault(_ random: inout SplitMix64) {}

    func endFaults() {}

    func letPayersAct(on payments: [UUID], at host: String, _ random: inout SplitMix64) {}

    func charges() async throws -> [UUID: Int] {
        let rows = try await hosts.site.query(
            "SELECT payment_id, count(*) FROM till.simulated_entries GROUP BY payment_id",
            at: hosts.database
        )
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                let parts = row.split(separator: "|")
                return UUID(uuidString: String(parts[0])).flatMap { id in Int(parts[1]).map { (id, $0) } }
            }
        )
    }
}
