import Foundation
import ProcessTesting
import Synchronization
import TillClient

/// An application that buys, downloads and takes over hosted content, while an operator works on the same store.
final class Shopper: Sendable {
    private struct State {
        /// Transactions that were bought and not refunded.
        var bought: [UUID] = []
        var isSettling = false
        var downloads = 0
    }

    private static let pace = Duration.milliseconds(30)

    private let queue: PaymentQueue
    private let storeOperator: TillOperator
    private let chance: Chance
    private let state = Mutex(State())

    init(socket: String, seed: UInt64) {
        var configuration = ClientConfiguration(application: Store.hostedApplication, socketPath: socket)
        configuration.callTimeout = .seconds(20)
        queue = PaymentQueue(configuration)
        storeOperator = TillOperator(configuration)
        chance = Chance(seed: seed)
    }

    func settle() {
        state.withLock { $0.isSettling = true }
    }

    /// The number of completed downloads.
    var downloads: Int { state.withLock { $0.downloads } }

    /// Works until it is asked to settle or is cancelled, and then ends.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.repeated { try await self.shop($0) } }
            group.addTask { await self.repeated { try await self.operate($0) } }
        }
        await queue.close()
        await storeOperator.close()
    }

    /// Repeats an action. An unavailable daemon is not an error, because the recorder starts the next one.
    private func repeated(_ act: (Int) async throws -> Void) async {
        var number = 0
        while !state.withLock({ $0.isSettling }), !Task.isCancelled {
            number += 1
            _ = try? await act(number)
            await Alarm.after(Self.pace)
        }
    }

    private func shop(_ number: Int) async throws {
        let product = Store.hostedProducts[chance.below(2, number)]
        let bought = try await queue.purchase(Payment(productID: product))
        state.withLock { $0.bought.append(bought.id) }
        var downloads: [Download] = []
        for try await download in queue.downloads where download.transactionID == bought.id {
            downloads.append(download)
        }
        try await queue.start(downloads)
        while !state.withLock({ $0.isSettling }), !Task.isCancelled {
            var isOver = true
            for try await download in queue.downloads where download.transactionID == bought.id {
                isOver = isOver && download.state != .active
            }
            if isOver { break }
            await Alarm.after(.milliseconds(10))
        }
        state.withLock { $0.downloads += 1 }
        if chance.below(3, number, 1) > 0 {
            try await queue.finish(bought)
        }
    }

    private func operate(_ number: Int) async throws {
        let bought = state.withLock {
            $0.bought.isEmpty || chance.below(2, number, 2) == 0 ? nil : $0.bought.removeFirst()
        }
        if let bought {
            try await storeOperator.refund(RefundOrder(transactionID: bought), because: "Trial \(number).")
        } else {
            let isOff = chance.below(2, number, 3) == 0
            let change: [String: String?] = ["disable-dialogs": isOff ? nil : "\(chance.below(2, number, 4) == 0)"]
            try await storeOperator.changeSettings(change, because: "Trial \(number).")
        }
    }
}
