import ArgumentParser
import ContentServer
import CrashStates
import Foundation
import Glibc
import TillInvariants

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Record, and check this many disk states (default).")

    @Option(help: "Check this many disk states in all.")
    var states = 2_000

    @Option(help: "Check at most this many states of each recording.")
    var recordingStates = 20_000

    @Option(help: "Repeat the choices of this seed, except process timing.")
    var seed: UInt64 = .random(in: 1...999_999_999)

    @Option(help: "Check states with this many parallel tasks.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "Serve one in this many states; 0 serves none.")
    var served = 200

    @Option(help: .init("Write states below this directory.", valueName: "dir"))
    var memory = "/dev/shm"

    @Option(help: .init("Keep failing recordings and states below this directory.", valueName: "dir"))
    var kept = "\(FileManager.default.temporaryDirectory.path)/till-crash-states"

    /// The maximum number of printed failures of one recording.
    private static let printedMaximum = 5

    func validate() throws {
        guard states > 0, recordingStates > 0, jobs > 0, served >= 0 else {
            throw ValidationError("All numbers must be above 0.")
        }
    }

    func run() async throws {
        print("Crash states: \(states); repeat the choices with --seed \(seed)")
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
            print("  repeat: till-crash-states state \(result.recording.directory) \(place)")
        }
        let count = result.figures.failures.count
        if count > 0 {
            print("FAILED: \(count) of \(result.figures.states) states of the recording \(result.recording.directory)")
        }
    }
}
