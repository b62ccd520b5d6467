import Foundation
import ProcessTesting
import Testing

/// Whatever the account owns is restored once, however much it is and whoever is killed meanwhile.
@Suite(.timeLimit(.minutes(30))) struct RestoreScenarios {
    /// Of the largest restore. `TILL_RESTORE_PURCHASES=100000` takes minutes with a debug build.
    private static let most =
        ProcessInfo.processInfo.environment["TILL_RESTORE_PURCHASES"].flatMap(Int.init) ?? 10_000
    /// In MiB: of the daemon, and of the command that restores.
    private static let memoryMaximum = 256

    @Test(arguments: [0, 1, 28, 1_000, most])
    func everyPurchaseIsRestoredOnceInOrderAndThenTheEndComes(count: Int) async throws {
        var owned: [String] = []
        try await Shop.open(
            prepare: { owned = try await Purchases.own(count, at: $0, application: Shop.notes) },
            {
                let shop = $0
                let begun = ContinuousClock.now
                let restore = try shop.start(["restore"])
                if count >= 1_000 {
                    try await shop.until("nothing is restored") { try restore.outputSize > 0 }
                    try await shop.daemon.kill()
                    try #expect(restore.printed.all(CallbackLine.self).count < count, "it was not killed midway")
                    try await shop.daemon.start()
                }
                var memory = [0, 0]
                try await shop.until("the restore does not end", within: .seconds(1200), every: .milliseconds(100)) {
                    guard restore.process.isRunning else {
                        return true
                    }
                    memory = [shop.daemon.peakMemory ?? memory[0], restore.process.peakMemory ?? memory[1]]
                    return false
                }
                #expect(await restore.process.exit() == .status(0))
                memory[0] = try #require(shop.daemon.peakMemory)
                print("\(count) restored in \(ContinuousClock.now - begun), daemon and till had \(memory) MiB")
                #expect(memory.allSatisfy { $0 < Self.memoryMaximum }, "they had \(memory) MiB")

                let callbacks = try restore.printed.all(CallbackLine.self)
                #expect(callbacks.last?.callback == CallbackLine.restoreFinished)
                #expect(callbacks.last?.restoredCount == count)
                let restored = callbacks.dropLast().compactMap(\.transaction)
                #expect(restored.allSatisfy { $0.state == "restored" })
                #expect(restored.compactMap(\.original?.id) == owned, "not each original once, and in order")
            }
        )
    }

    @Test func repeatedRestoresDoNotMultiply() async throws {
        try await Shop.open { shop in
            let first = try await shop.buy(Notes.monthly)
            try await shop.buy(Notes.pro)
            try await shop.advance("70d")
            let bought = try await shop.transactions()
            #expect(bought.filter { $0.subscription != nil }.count == 4, "a trial and three months")
            try await shop.till("finish", "--all")
            for _ in 1...3 {
                let callbacks: [CallbackLine] = try await shop.till("restore").all()
                #expect(callbacks.last?.restoredCount == 5)
                let restored = callbacks.compactMap(\.transaction)
                #expect(restored.count == 5)
                #expect(restored.filter { $0.productID == Notes.monthly }.allSatisfy { $0.original?.id == first.id })
            }
            #expect(try await shop.transactions().filter { $0.state == "restored" }.count == 5)
            try await shop.till("refund", try #require(bought.first { $0.productID == Notes.pro }).id)
            try await shop.till("finish", "--all")
            #expect(try await shop.till("restore").all(CallbackLine.self).last?.restoredCount == 4)
        }
    }
}
