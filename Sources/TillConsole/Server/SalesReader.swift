import TillEngine
import TillModel

/// Reads the sales for the page, and keeps them for a while: at most a tenth of the time goes into reading, however often
/// somebody looks and however much was sold.
actor SalesReader {
    private static let ageMinimum = Duration.seconds(1)
    private static let ageForCost = 10

    private let engine: PaymentEngine
    private var last: (sales: Sales, expiry: ContinuousClock.Instant)?
    private var isReading = false
    /// Those who wait for the end of the reading.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ engine: PaymentEngine) {
        self.engine = engine
    }

    /// The sales of the last days, as they were a moment ago.
    func sales() async throws(TillError) -> Sales {
        while true {
            if let last, ContinuousClock.now < last.expiry {
                return last.sales
            }
            guard isReading else {
                return try await read()
            }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func read() async throws(TillError) -> Sales {
        isReading = true
        defer {
            isReading = false
            waiting.forEach { $0.resume() }
            waiting = []
        }
        let start = ContinuousClock.now
        var sales = Sales(until: engine.clock().now)
        do {
            try await engine.salesEntries(since: sales.start) { $0.forEach { sales.add($0) } }
        } catch {
            throw (error as? TillError) ?? TillError(.internal, "The sales cannot be read: \(error)")
        }
        let end = ContinuousClock.now
        last = (sales, end + max(Self.ageMinimum, (end - start) * Self.ageForCost))
        return sales
    }
}
