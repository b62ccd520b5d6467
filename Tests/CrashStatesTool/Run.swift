import ArgumentParser
import ContentServer
import CrashStates
import Foundation
import Glibc
import TillInvariants

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Record, and check so many disk states (default).")

    @Option(help: "Disk states in all.")
    var states = 2_000

    @Option(help: "The most disk states of one recording.")
    var recordingStates = 20_000

    @Option(help: "Repeats a run's choices; the processes that are recorded have a timing of their own.")
    var seed: UInt64 = .random(in: 1...999_999_999)

    @Option(help: "Tasks that check states at once.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "One in so many states is served by the real daemon, too; 0 for none.")
    var served = 200

    @Option(help: .init("Where states are made.", valueName: "dir"))
    var memory = "/dev/shm"

    @Option(help: .init("Where recordings and states are kept that fail.", valueName: "dir"))
    var kept = "\(FileManager.default.temporaryDirectory.path)/till-crash-states"

    /// Failures that are printed, of one recording.
    private static let printedMaximum = 5

    func validate() throws {
        guard states > 0, recordingStates > 0, jobs > 0, served >= 0 else {
            throw ValidationError("Name numbers above 0.")
        }
    }

    func run() async throws {
        print("Crash states: \(states); to repeat the choices: --seed \(seed)")
        let start = ContinuousClock.now
        let server = try await ContentServer()
        var total = Totals()
        var number: UInt64 = 0
        while total.figures.states < states {
            let options = Campaign.Options(
                states: min(recordingStates, states - total.figures.states),
                seed: seed &+ number,
                jobs: jobs,
                servedInterval: served,
                memory: memory,
                kept: kept
            )
            let result = try await Campaign(options, server: server).run()
            report(result)
            total.add(result)
            number += 1
            if isatty(STDERR_FILENO) == 1 {
                FileHandle.standardError.write(Data("\r\(total.figures.states) of \(states)".utf8))
            }
        }
        await server.shutDown()
        total.print(after: ContinuousClock.now - start)
        guard total.isProof else {
            throw ExitCode.failure
        }
    }

    private func report(_ result: Campaign.Result) {
        for failure in result.figures.failures.prefix(Self.printedMaximum) {
            print("FAILED with seed \(result.recording.seed) at place \(failure.item.place), \(failure.item.variant):")
            failure.findings.prefix(Self.printedMaximum).forEach { print("  \($0)") }
            print("  kept: \(failure.directory)")
            let place = "--place \(failure.item.place) --variant \(failure.item.variant)"
            print("  again: till-crash-states state \(result.recording.directory) \(place)")
        }
        let count = result.figures.failures.count
        if count > 0 {
            print("FAILED: \(count) of \(result.figures.states) states of the recording \(result.recording.directory)")
        }
    }
}
