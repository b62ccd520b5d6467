import Glibc
package import ProcessTesting
import TillClient

/// A restart of a daemon that was killed with very many payments under way.
package struct CrowdedStart {
    /// The promised maximum time from the start of the process to its first answer.
    package static let limit = Duration.seconds(2)
    private static let hands = 64
    private static let product = TestStore.coins

    private let site: Site
    private let options = ["--simulated-unreachable", Self.product]

    package init(site: Site) {
        self.site = site
    }

    /// Adds this many payments, whose provider never answers, and kills the daemon.
    package func fill(payments: Int) async throws {
        let daemon = try await site.startServingDaemon(options)
        let queue = site.queue(callTimeout: .seconds(60))
        try await withThrowingTaskGroup { group in
            for hand in 0..<Self.hands {
                group.addTask {
                    for _ in stride(from: hand, to: payments, by: Self.hands) {
                        _ = try await queue.add(Payment(productID: Self.product))
                    }
                }
            }
            try await group.waitForAll()
        }
        await queue.close()
        await daemon.killNow()
    }

    /// Starts the daemon, measures the time to the first answer and to the first added payment, and kills it.
    package func restart() async throws -> (answer: Duration, payment: Duration) {
        let start = ContinuousClock.now
        let daemon = try await site.startServingDaemon(options)
        let answer = ContinuousClock.now - start
        let queue = site.queue()
        _ = try await queue.add(Payment(productID: TestStore.declined[0]))
        let payment = ContinuousClock.now - start
        await queue.close()
        await daemon.killNow()
        return (answer, payment)
    }
}
