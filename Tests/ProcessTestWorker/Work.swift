import ArgumentParser
import Dispatch
import Foundation
import TillClient
import TillInvariants

/// Buys, finishes and restores at random until its standard input ends; then settles everything.
struct Work: AsyncParsableCommand {
    @Option var socket: String
    @Option var application: String
    @Option var history: String
    @Option var seed: UInt64
    /// Products that are bought rarely, because their payments take long.
    @Option var seldom: [String] = []
    /// The time between two acts of a task, in milliseconds.
    @Option var pace: Int64 = 12
    @Option var mix = Mix.everything
    /// The number of acts until the application settles by itself.
    @Option var acts: Int?
    /// A file with the expected content of every product.
    @Option var content: String?

    func run() async throws {
        let (journal, past) = try Journal.open(path: history)
        let queue = PaymentQueue(ClientConfiguration(application: application, socketPath: socket))
        let random = SharedRandom(seed: seed &+ UInt64(journal.run) &* 0x9E37_79B9_7F4A_7C15)
        let pending = PendingWork(open: past, acts: acts)
        journal.note(.runStarted(processID: ProcessInfo.processInfo.processIdentifier))
        DispatchQueue.global().async {
            _ = try? FileHandle.standardInput.readToEnd()
            pending.settle()
        }
        journal.note(.ledger(try await queue.status().ledgerID))
        let customer = Customer(
            queue: queue,
            journal: journal,
            pending: pending,
            random: random,
            seldom: Set(seldom),
            pace: pace,
            mix: mix,
            content: content.flatMap { FileManager.default.contents(atPath: $0) }
        )
        try await customer.run()
        journal.note(.runEnded)
    }
}
