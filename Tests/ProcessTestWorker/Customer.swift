import Foundation
import TillClient
import TillInvariants

/// An application at work: one task follows the queue, others act.
struct Customer {
    static let hands = 5
    /// The number of transactions to finish above which the application finishes before it buys more.
    static let finishableMaximum = 24

    let queue: PaymentQueue
    let journal: Journal
    let pending: PendingWork
    let random: SharedRandom
    let seldom: Set<String>
    /// The time between two acts of a task, in milliseconds.
    let pace: Int64
    let mix: Mix
    /// The expected content of every product; nil if there is none.
    let content: Data?

    func run() async throws {
        let products = try await queue.allProducts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await follow() }
            group.addTask { try await work(products) }
            // The work ends by itself; following ends only with an error.
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
        journal.note(.settled)
    }

    private func work(_ products: [Product]) async throws {
        for payment in pending.open {
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
            guard pending.takeUpAct() else {
                return
            }
            if pending.finishable.count > Self.finishableMaximum {
                try await finishOne()
            } else {
                try await actOnce(products)
            }
        }
    }

    private func actOnce(_ products: [Product]) async throws {
        switch mix.act(random.below(100)) {
        case .buy: try await buy(products)
        case .finish: try await finishOne()
        case .repeatAdd: try await repeatAnAdd()
        case .sendConflict: try await sendAConflict()
        case .sendInvalid: try await sendAnInvalidPayment()
        case .finishEarly: try await finishTooEarly()
        case .restore: await restore()
        case .list: for try await _ in queue.transactions {}
        }
    }

    /// Finishes the remaining work until the queue is empty and all removals were delivered.
    private func clear() async throws {
        for await _ in Ticks.every(milliseconds: pace) {
            for id in pending.finishable {
                try await finish(id)
            }
            var isEmpty = true
            for try await _ in queue.transactions {
                isEmpty = false
            }
            if isEmpty, pending.isClear {
                return
            }
        }
    }
}
