import Foundation
import Glibc
import ProcessTesting
import Testing

/// Every purchase of the account is restored once, at any number, and even if the daemon is killed.
@Suite(.timeLimit(.minutes(30))) struct RestoreScenarios {
    /// The size of the largest restore, which can be reduced where a debug build is slow.
    private static let most =
        ProcessInfo.processInfo.environment["TILL_RESTORE_PURCHASES"].flatMap(Int.init) ?? 100_000
    /// The maximum memory of the daemon and of the restoring command, in MiB.
    private static let memoryMaximum = 256

    @Test(arguments: [0, 1, 28, 1_000, most])
    func everyPurchaseIsRestoredOnceInOrderBeforeTheEnd(count: Int) async throws {
        var owned: [String] = []
        try await Shop.open(prepare: { owned = try await Purchases.own(count, at: $0, application: Shop.notes) }) {
            let shop = $0
            let begun = ContinuousClock.now
            let restore = try shop.start(["restore"])
            if count >= 1_000 {
                try await killMidway(shop, restore, count)
            }
            let memory = try await peakMemory(shop, until: restore)
            print("\(count) restored in \(ContinuousClock.now - begun): daemon and command had \(memory) MiB")
            #expect(memory.allSatisfy { $0 < Self.memoryMaximum }, "daemon and command had \(memory) MiB")

            let callbacks = try restore.printed.all(CallbackLine.self)
            #expect(callbacks.last?.callback == CallbackLine.restoreFinished)
            #expect(callbacks.last?.restoredCount == count)
            let restored = callbacks.dropLast().compactMap(\.transaction)
            #expect(restored.allSatisfy { $0.state == "restored" })
            #expect(
                restored.compactMap(\.original?.id) == owned,
                "the originals are not restored once each and in order"
            )
        }
    }

    @Test func anInterruptedWaitForARestoreEndsByItsSignal() async throws {
        try await Shop.open(prepare: { _ = try await Purchases.own(10_000, at: $0, application: Shop.notes) }) { shop in
            let restore = try shop.start(["restore"])
            // The restore cannot end without a daemon.
            try await killMidway(shop, restore, 10_000, restarts: false)
            restore.process.signal(SIGINT)
            #expect(await restore.process.exit() == .signal(SIGINT))
            #expect(try restore.printed.errors.contains("The restore continues; till restore status "))
            try await shop.daemon.start()
        }
    }

    /// Kills the daemon after the first restored purchase, and restarts it.
    private func killMidway(_ shop: Shop, _ restore: RunningCommand, _ count: Int, restarts: Bool = true)
        async throws
    {
        try await shop.until("no purchase is restored") { try restore.outputSize > 0 }
        try await shop.daemon.kill()
        if count > 1_000 {
            try #expect(restore.printed.all(CallbackLine.self).count < count, "the restore ended before the kill")
        }
        if restarts {
            try await shop.daemon.start()
        }
    }

    /// The peak memory of the daemon and the command by the end of the restore, which must succeed.
    private func peakMemory(_ shop: Shop, until restore: RunningCommand) async throws -> [Int] {
        var command = 0
        try await shop.until("the restore does not end", within: .seconds(1200), every: .milliseconds(100)) {
            command = restore.process.peakMemory ?? command
            return !restore.process.isRunning
        }
        let errors = try restore.printed.errors
        try #require(await restore.process.exit() == .status(0), "the command printed \(errors)")
        return [try shop.daemon.peakMemory, command]
    }

    @Test func repeatedRestoresDoNotMultiply() async throws {
        try await Shop.open { shop in
            let first = try await shop.buy(Notes.monthly)
            try await shop.buy(Notes.pro)
            try await shop.advance("70d")
            let bought = try await shop.transactions()
            #expect(
                bought.filter { $0.subscription != nil }.count == 4,
                "the trial and three months are not in the queue"
            )
            try await shop.till("finish", "--all")
            for _ in 1...3 {
                let callbacks: [CallbackLine] = try await shop.till("restore").all()
                #expect(callbacks.last?.restoredCount == 5)
                let restored = callbacks.compactMap(\.transaction)
                #expect(restored.count == 5)
                let originals = restored.filter { $0.productID == Notes.monthly }.compactMap(\.original?.id)
                #expect(originals == Array(repeating: first.id, count: 4))
            }
            #expect(try await shop.transactions().filter { $0.state == "restored" }.count == 5)
            try await shop.till("refund", try #require(bought.first { $0.productID == Notes.pro }).id)
            try await shop.till("finish", "--all")
            #expect(try await shop.till("restore").all(CallbackLine.self).last?.restoredCount == 4)
        }
    }
}
