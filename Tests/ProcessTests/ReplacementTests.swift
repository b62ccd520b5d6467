import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Synchronization
import Testing
import TillClient

/// One daemon replaces another behind a socket that stays, as with `tilld.socket`, while customers buy.
///
/// `TILL_REPLACEMENTS` sets how often, and `TILL_REPLACEMENT_CUSTOMERS` for how many customers.
@Suite(.timeLimit(.minutes(30))) struct ReplacementTests {
    private static func number(_ variable: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? value
    }

    private final class Results: Sendable {
        private struct State {
            var durations: [Duration] = []
            var bought: Set<UUID> = []
            var failures: [String] = []
            /// How often a change of a transaction was delivered, by transaction and revision.
            var deliveries: [String: Int] = [:]
            var isStopped = false
        }

        private let state = Mutex(State())

        var isStopped: Bool { state.withLock { $0.isStopped } }
        var durations: [Duration] { state.withLock { $0.durations } }
        var failures: [String] { state.withLock { $0.failures } }
        var bought: Set<UUID> { state.withLock { $0.bought } }
        var repeated: [String] { state.withLock { $0.deliveries.filter { $0.value > 1 }.keys.sorted() } }
        var deliveryCount: Int { state.withLock { $0.deliveries.count } }

        func stop() {
            state.withLock { $0.isStopped = true }
        }

        func succeed(_ id: UUID, in duration: Duration) {
            state.withLock { state in
                state.bought.insert(id)
                state.durations.append(duration)
            }
        }

        func fail(_ error: any Error) {
            state.withLock { $0.failures.append("\(error)") }
        }

        func deliver(_ kind: String, _ transactions: [Transaction]) {
            state.withLock { state in
                for transaction in transactions {
                    state.deliveries["\(kind) \(transaction.id) \(transaction.revision)", default: 0] += 1
                }
            }
        }
    }

    @Test func noCallFailsAndNoCallbackIsRepeated() async throws {
        let replacements = Self.number("TILL_REPLACEMENTS", default: 3)
        let customers = Self.number("TILL_REPLACEMENT_CUSTOMERS", default: 8)
        try await Site.with { site in
            let manager = try site.startManager()
            try await site.waitUntilServing()
            let results = Results()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...customers {
                    group.addTask { await Self.buy(site.queue("org.example.customer\(number)"), results) }
                    group.addTask { await Self.observe(site.queue("org.example.customer\(number)"), results) }
                }
                for _ in 0..<replacements {
                    try await Self.waitForMore(results)
                    manager.signal(SIGUSR1)
                }
                try await Self.waitForMore(results)
                results.stop()
                // The observers end with their queues.
                try await Self.waitUntilObserved(results)
                group.cancelAll()
                try await group.waitForAll()
            }
            manager.signal(SIGTERM)
            let exit = await manager.exit()
            #expect(exit == .status(0))
            #expect(results.failures == [])
            #expect(results.repeated == [])
            #expect(try site.log().ranges(of: "Serving").count == replacements + 1)
            let sorted = results.durations.sorted()
            try #require(!sorted.isEmpty)
            print(
                """
                \(replacements) replacements under \(customers) customers: \(sorted.count) purchases, \
                \(results.deliveryCount) callbacks; 50 % took at most \(sorted[sorted.count / 2]), 99 % \
                \(sorted[sorted.count * 99 / 100]), all \(sorted[sorted.count - 1])
                """
            )
        }
    }

    /// Buys and finishes until the end. No call is retried here: the client waits for the next daemon by itself.
    private static func buy(_ queue: PaymentQueue, _ results: Results) async {
        do {
            while !results.isStopped {
                let begin = ContinuousClock.now
                let payment = Payment(productID: TestStore.coins)
                let bought = try await queue.purchase(payment)
                #expect(bought.state == .purchased)
                try await queue.finish(bought)
                results.succeed(payment.id, in: .now - begin)
            }
        } catch {
            results.fail(error)
        }
        await queue.close()
    }

    private static func observe(_ queue: PaymentQueue, _ results: Results) async {
        do {
            for try await change in queue.changes {
                switch change {
                case .updated(let transactions): results.deliver("updated", transactions)
                case .removed(let transactions): results.deliver("removed", transactions)
                default: break
                }
            }
        } catch {
            // A cancelled observer: the test has ended.
            if error.code != .cancelled {
                results.fail(error)
            }
        }
        await queue.close()
    }

    /// Waits until each customer has bought several times more.
    private static func waitForMore(_ results: Results) async throws {
        let enough = results.bought.count + 200
        try await wait(results) { results.bought.count >= enough }
    }

    /// Waits until the purchases of all customers were delivered, each as purchasing or purchased and as removed, and then
    /// until nothing else is: a repeated callback would come then.
    private static func waitUntilObserved(_ results: Results) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        var last = -1
        while last != results.deliveryCount || last < 2 * results.bought.count, .now < deadline {
            last = results.deliveryCount
            await Alarm.after(.milliseconds(500))
        }
        #expect(last >= 2 * results.bought.count)
    }

    private static func wait(_ results: Results, until isSo: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while !isSo(), results.failures.isEmpty {
            guard .now < deadline else {
                throw HarnessFailure("The customers no longer buy.")
            }
            await Alarm.after(.milliseconds(5))
        }
    }

    @Test(arguments: [
        (wanted: "elsewhere.sock", message: "but --socket is"), ("till.sock", "Serving"),
    ])
    func aPassedSocketIsTheOneOfTheOption(wanted: String, message: String) async throws {
        try await Site.with { site in
            let manager = try site.startManager(serving: site.path(wanted))
            let deadline = ContinuousClock.now + .seconds(60)
            while try !site.log().contains(message), ContinuousClock.now < deadline {
                await Alarm.after(.milliseconds(10))
            }
            #expect(try site.log().contains(message))
            manager.signal(SIGTERM)
            let exit = await manager.exit()
            #expect(exit == .status(wanted == "till.sock" ? 0 : 1))
            // The socket belongs to the service manager.
            #expect(FileManager.default.fileExists(atPath: site.socket))
        }
    }
}

extension Site {
    /// Starts a process that keeps the socket and the daemons behind it.
    ///
    /// - Parameter path: The socket that the daemons are told to serve, if it is another.
    fileprivate func startManager(serving path: String? = nil) throws -> ChildProcess {
        try startDaemon(
            socket: path,
            wrapper: [Binaries.worker, "keep-socket", "--socket", socket]
        )
    }
}
