import ArgumentParser
import Dispatch
import Foundation
import TillClient
import TillInvariants

/// Buys, finishes and restores at random until its standard input ends; then brings everything to its end.
struct Work: AsyncParsableCommand {
    @Option var socket: String
    @Option var application: String
    @Option var history: String
    @Option var seed: UInt64
    /// Products that are bought seldom, because their payments take long.
    @Option var seldom: [String] = []
    /// Between two acts of one of its hands, in milliseconds.
    @Option var pace: Int64 = 12
    @Option var mix = Mix.everything
    /// How much is done before it settles by itself.
    @Option var acts: Int?
    /// A file that the content of every product has to be like.
    @Option var content: String?

    func run() async throws {
        let (journal, past) = try Journal.open(path: history)
        let queue = PaymentQueue(ClientConfiguration(application: application, socketPath: socket))
        let random = SharedRandom(seed: seed &+ UInt64(journal.run) &* 0x9E37_79B9_7F4A_7C15)
        let desk = Desk(open: past, acts: acts)
        journal.note(.runStarted(processID: ProcessInfo.processInfo.processIdentifier))
        DispatchQueue.global().async {
            _ = try? FileHandle.standardInput.readToEnd()
            desk.settle()
        }
        journal.note(.ledger(try await queue.status().ledgerID))
        let customer = Customer(
            queue: queue,
            journal: journal,
            desk: desk,
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
