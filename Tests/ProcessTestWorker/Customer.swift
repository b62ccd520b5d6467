import FoundationEssentials
import TillClient
import TillInvariants

/// An application at work: one task follows the queue, some others act.
struct Customer {
    static let hands = 5
    /// With as many transactions to finish, it finishes before it buys more.
    static let finishableMaximum = 24

    let queue: PaymentQueue
    let journal: Journal
    let desk: Desk
    let random: SharedRandom
    let seldom: Set<String>
    /// Between two acts of a hand, in milliseconds.
    let pace: Int64

    func run() async throws {
        let products = try await queue.allProducts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await follow() }
            group.addTask { try await work(products) }
            // The work ends; following ends only by an error.
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
        journal.note(.settled)
    }

    private func work(_ products: [Product]) async throws {
        for payment in desk.open {
            try await send(payment)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.hands {
                group.addTask { try await act(products) }
            }
            try await group.waitForAll()
        }
        try await clear()
    }

    private func act(_ products: [Product]) async throws {
        for await _ in Ticks.every(milliseconds: pace) {
            guard !desk.isSettling else {
                return
            }
            if desk.finishable.count > Self.finishableMaximum {
                try await finishOne()
            } else {
                try await actOnce(products)
            }
        }
    }

    private func actOnce(_ products: [Product]) async throws {
        switch random.below(100) {
        case ..<55: try await buy(products)
        case ..<75: try await finishOne()
        case ..<82: try await repeatAnAdd()
        case ..<86: try await sendAConflict()
        case ..<89: try await sendAnInvalidPayment()
        case ..<92: try await finishTooEarly()
        case ..<96: await restore()
        default: for try await _ in queue.transactions {}
        }
    }

    /// Finishes what is left until the queue is empty and all of it was seen to be removed.
    private func clear() async throws {
        for await _ in Ticks.every(milliseconds: pace) {
            for id in desk.finishable {
                try await finish(id)
            }
            var isEmpty = true
            for try await _ in queue.transactions {
                isEmpty = false
            }
            if isEmpty, desk.isClear {
                return
            }
        }
    }
}
