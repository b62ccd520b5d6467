import FoundationEssentials
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

extension EngineHarness {
    /// An engine whose ledger has so many non-consumables, bought and finished.
    static func owning(
        _ count: Int,
        ledger: any Ledger = MemoryLedger(),
        provider: GatedProvider? = nil,
        receipts: any ReceiptSigner = PlainSigner()
    ) async throws -> EngineHarness {
        let harness = EngineHarness(
            ledger: ledger,
            provider: provider?.scripted ?? ScriptedProvider(),
            gated: provider,
            receipts: receipts
        ) {
            $0.restoreDeadline = .seconds(10)
        }
        try await harness.ledger.commit { ledger in
            var context = CommandContext(ledger: ledger, now: harness.time.now())
            let queue = try context.queue(notes)
            for number in 0..<count {
                let payment = Payment(productID: "product\(number)")
                try context.save(
                    TransactionRecord(
                        queue: queue.key,
                        id: payment.id,
                        payment: payment,
                        productType: .nonConsumable,
                        state: .purchased,
                        revision: 0,
                        createdAt: context.now,
                        finishedAt: context.now,
                        isEntitlement: true
                    )
                )
            }
        }
        return harness
    }
}
