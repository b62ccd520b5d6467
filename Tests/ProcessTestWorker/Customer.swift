import Foundation
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
    let mix: Mix
    /// What every product's content has to be; nil when there is none.
    let content: Data?

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
            guard desk.takeUpAct() else {
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
