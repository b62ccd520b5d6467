import TillEngine
import TillModel

/// Reads the sales for the page, and keeps them for a while: at most a tenth of the time goes into reading, however often
/// somebody looks and however much was sold.
actor SalesReader {
    private static let ageMinimum = Duration.seconds(1)
    private static let ageForCost = 10

    private let engine: PaymentEngine
    private var last: (sales: Sales, expiry: ContinuousClock.Instant)?
    /// The reading that others wait for too.
    private var reading: Task<Sales, any Error>?

    init(_ engine: PaymentEngine) {
        self.engine = engine
    }

    /// The sales of the last days, as they were a moment ago.
    func sales() async throws(TillError) -> Sales {
        if let last, ContinuousClock.now < last.expiry {
            return last.sales
        }
        let task = reading ?? Task { try await read() }
        reading = task
        do {
            return try await task.value
        } catch {
            throw (error as? TillError) ?? TillError(.internal, "The sales cannot be read: \(error)")
        }
    }

    private func read() async throws -> Sales {
        defer { reading = nil }
        let start = ContinuousClock.now
        var sales = Sales(until: engine.clock().now)
        try await engine.salesEntries(since: sales.start) { $0.forEach { sales.add($0) } }
        let end = ContinuousClock.now
        last = (sales, end + max(Self.ageMinimum, (end - start) * Self.ageForCost))
        return sales
    }
}
