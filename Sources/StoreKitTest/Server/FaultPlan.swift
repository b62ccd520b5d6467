/// Decides which calls of the provider fail.
struct FaultPlan: Sendable {
    private let faults: [SKTestFault]
    /// The number of matching calls of each fault.
    private var counts: [Int]
    private var random: SeededRandom

    init(_ faults: [SKTestFault] = [], seed: UInt64 = 0) {
        self.faults = faults
        counts = faults.map { _ in 0 }
        random = SeededRandom(seed)
    }

    /// Counts a call and returns the stage at which it fails, according to the first matching fault.
    mutating func stage(of operation: SKTestFault.Operation, productIdentifier: String?) -> SKTestFault.Stage? {
        var stage: SKTestFault.Stage?
        for (index, fault) in faults.enumerated()
        where fault.operation == operation && fault.concerns(productIdentifier) {
            counts[index] += 1
            // A number is drawn for every call, so that the faults do not influence each other.
            let isDrawn = Double.random(in: 0..<1, using: &random) < fault.probability
            if stage == nil, isDrawn, fault.calls?.contains(counts[index]) ?? true {
                stage = fault.stage
            }
        }
        return stage
    }
}

extension SKTestFault {
    fileprivate func concerns(_ product: String?) -> Bool {
        productIdentifier == nil || productIdentifier == product
    }
}
