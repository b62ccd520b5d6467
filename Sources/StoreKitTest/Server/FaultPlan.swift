/// Decides which calls of the provider go wrong.
struct FaultPlan: Sendable {
    private let faults: [SKTestFault]
    /// How many calls each of them has met.
    private var counts: [Int]
    private var random: SeededRandom

    init(_ faults: [SKTestFault] = [], seed: UInt64 = 0) {
        self.faults = faults
        counts = faults.map { _ in 0 }
        random = SeededRandom(seed)
    }

    /// Takes note of a call, and says where it goes wrong: by the first fault that it meets.
    mutating func stage(of operation: SKTestFault.Operation, productIdentifier: String?) -> SKTestFault.Stage? {
        var stage: SKTestFault.Stage?
        for (index, fault) in faults.enumerated()
        where fault.operation == operation && fault.concerns(productIdentifier) {
            counts[index] += 1
            // Drawn for every call, so that one fault's luck does not depend on another's.
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
