import FoundationEssentials
import ProcessTesting
import Testing
import TillEngine
import TillModel
import TillProviders

@testable import TillPostgres

/// The simulated provider's record of several hosts; each host has a store of its own.
@Suite(
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresSimulatedStoreTests {
    @Test func hostsThatChargeAtTheSameTimeRecordOneCharge() async throws {
        try await withStores { stores, place in
            let requests = (0..<20).map { _ in Self.request() }
            let saved = await withTaskGroup(of: (UUID, SimulatedSaved).self) { group in
                for request in requests {
                    for store in stores {
                        for _ in 0..<3 {
                            group.addTask {
                                let answer = await Self.save(.charge(request), in: store)
                                return (request.paymentID, answer)
                            }
                        }
                    }
                }
                return await group.reduce(into: [UUID: Set<SimulatedSaved>]()) { $0[$1.0, default: []].insert($1.1) }
            }
            for request in requests {
                #expect(saved[request.paymentID] == [.done(reference: "sim_\(request.paymentID.text)")])
            }
            let record = try place.session().simulatedEntries.all()
            #expect(record.count == requests.count && Set(record.map(\.paymentID)) == Set(requests.map(\.paymentID)))
            #expect(try await stores[1].charge(requests[0].paymentID)?.productID == "coins")
        }
    }

    @Test func hostsRefundNoMoreThanWasPaid() async throws {
        try await withStores { stores, _ in
            let charge = Self.request(amount: 99)
            _ = await Self.save(.charge(charge), in: stores[0])
            let refunds = (0..<10).map { _ in
                ProviderRefundRequest(
                    refundID: UUID(),
                    paymentID: charge.paymentID,
                    charge: "sim",
                    amount: 20,
                    currency: "USD"
                )
            }
            let saved = await withTaskGroup(of: SimulatedSaved.self) { group in
                for (number, refund) in refunds.enumerated() {
                    group.addTask { await Self.save(.refund(refund), in: stores[number % stores.count]) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(saved.count { $0 == .tooMuch } == 6)
            #expect(try await stores[0].record(after: nil).charges.map(\.refunded) == [80])
            var given = 0
            for refund in refunds where try await stores[1].entry(.refund(refund.refundID), forgetsSince: nil) != nil {
                given += 1
            }
            #expect(given == 4)
        }
    }

    /// A provider that forgets identities charges again; what is refunded counts for the first charge.
    @Test func aForgottenIdentityIsChargedAgain() async throws {
        try await withStores { stores, _ in
            let charge = Self.request(amount: 99)
            let (first, later) = (Date(timeIntervalSince1970: 1000), Date(timeIntervalSince1970: 2000))
            _ = await stores[0].save(.charge(charge), at: first, forgetsSince: first)
            let again = await stores[1].save(.charge(charge), at: later, forgetsSince: later)
            #expect(again == .done(reference: "sim_\(charge.paymentID.text)_2"))
            let refund = ProviderRefundRequest(
                refundID: UUID(),
                paymentID: charge.paymentID,
                charge: "sim",
                amount: 150,
                currency: "USD"
            )
            #expect(await stores[0].save(.refund(refund), at: later, forgetsSince: nil) != .tooMuch)
            #expect(try await stores[1].record(after: nil).charges.map(\.refunded) == [150, 0])
            let known = try await stores[0].entry(.payment(charge.paymentID), forgetsSince: later)
            #expect(known?.reference == "sim_\(charge.paymentID.text)_2")
            let end = later.addingTimeInterval(1)
            #expect(try await stores[0].entry(.payment(charge.paymentID), forgetsSince: end) == nil)
        }
    }

    @Test func theRecordIsReadInPages() async throws {
        try await withStores { stores, _ in
            let count = 2 * SimulatedProvider.recordPage
            let entries = (0..<count).compactMap { number in
                SimulatedBook().entry(
                    for: .charge(Self.request(amount: Int64(number))),
                    at: Date(timeIntervalSince1970: 1000)
                )
            }
            try await stores[0].adopt(entries)
            // What was recorded before is not recorded again.
            try await stores[1].adopt(entries)
            var amounts: [Int64] = []
            var cursor: String?
            repeat {
                let page = try await stores[1].record(after: cursor)
                amounts += page.charges.map(\.amount)
                cursor = page.next
            } while cursor != nil
            #expect(amounts == Array(0..<Int64(count)))
        }
    }

    /// The server ends the session of a host within its transaction: the calls are recorded by the next, once.
    @Test func aSessionThatIsLostLosesNoCall() async throws {
        try await withStores { stores, place in
            let session = try place.session()
            _ = await Self.save(.charge(Self.request()), in: stores[0])
            // Its calls wait for this lock, within their transaction.
            try session.execute("BEGIN")
            try session.execute("LOCK TABLE simulated_entries IN ACCESS EXCLUSIVE MODE")
            let requests = (0..<5).map { _ in Self.request() }
            async let saved = withTaskGroup(of: SimulatedSaved.self) { group in
                for request in requests {
                    group.addTask { await Self.save(.charge(request), in: stores[0]) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // Other tests use the server, too.
            let waiting = """
                SELECT CAST(pid AS text) FROM pg_stat_activity WHERE \(session.serverProcess) = ANY(pg_blocking_pids(pid))
                """
            let observer = try place.session()
            while try observer.text(waiting) == nil {
                await Task.yield()
            }
            try observer.execute("SELECT pg_terminate_backend(CAST((\(waiting) LIMIT 1) AS int))")
            try session.execute("ROLLBACK")
            let answers = await saved
            #expect(answers.allSatisfy { $0 != .failed && $0 != .tooMuch }, "\(answers)")
            #expect(try observer.simulatedEntries.all().count == 6)
        }
    }

    /// Nobody is told that a charge failed, only that its outcome is unknown.
    @Test func aServerThatIsGoneMakesTheOutcomeUnknown() async throws {
        try await withStores { stores, place in
            try place.session().execute("ALTER TABLE simulated_entries RENAME TO elsewhere")
            let request = Self.request()
            #expect(await Self.save(.charge(request), in: stores[0]) == .failed)
            let provider = SimulatedProvider(store: stores[0], faults: SimulatedFaults(), time: SystemTime())
            guard case .unknown = await provider.charge(request),
                case .unreachable = await provider.query(request.paymentID)
            else {
                Issue.record("A charge has an outcome without a record.")
                return
            }
            try place.session().execute("ALTER TABLE elsewhere RENAME TO simulated_entries")
            #expect(await provider.query(request.paymentID) == .notFound)
            #expect(await provider.charge(request) == .succeeded(reference: "sim_\(request.paymentID.text)"))
        }
    }

    private static func save(_ call: SimulatedCall, in store: PostgresSimulatedStore) async -> SimulatedSaved {
        await store.save(call, at: Date(timeIntervalSince1970: 1000), forgetsSince: nil)
    }

    static func request(amount: Int64 = 99) -> ChargeRequest {
        ChargeRequest(
            paymentID: UUID(),
            application: "org.example.app",
            account: "uid:1000",
            productID: "coins",
            quantity: 1,
            amount: amount,
            currency: "USD"
        )
    }

    private func withStores(_ body: ([PostgresSimulatedStore], PostgresPlace) async throws -> Void) async throws {
        try await withPostgresLedger { ledger, place in
            let stores = (0..<3).map { _ in ledger.makeSimulatedStore() }
            try await body(stores, place)
            stores.forEach { $0.close() }
        }
    }
}
