import FaultRuns
import Foundation
import ProcessTesting
import TestValues
import Testing

/// Runs parts of the harness `till-faults` for a short time.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct FaultRunTests {
    struct Calls: CustomTestStringConvertible {
        var testDescription: String
        var scenario: IOScenario
        var calls: Set<String>
        var runs: Int
    }

    @Test(
        .enabled("strace is not installed") { FileManager.default.isExecutableFile(atPath: Tracer.program) },
        arguments: [
            Calls(testDescription: "commits", scenario: .payments, calls: ["fdatasync", "pwrite64"], runs: 24),
            Calls(testDescription: "checkpoints", scenario: .recovery, calls: ["pwrite64"], runs: 24),
            Calls(testDescription: "inspections of callers", scenario: .downloads, calls: ["openat"], runs: 4),
            Calls(testDescription: "threads, of a start", scenario: .start, calls: [IOFault.threads], runs: 6),
        ]
    )
    func nothingIsLostAfterAnySystemCallFails(_ calls: Calls) async throws {
        var faults = IOFaults(seed: SplitMix64.fromEnvironment().seed) { _ in }
        faults.runsMaximum = calls.runs
        faults.scenarios = [calls.scenario]
        faults.calls = calls.calls
        let report = try await faults.run()
        print(report.figures().table())
        #expect(report.runs > 0)
        #expect(!report.findings.examined.isEmpty)
        #expect(report.findings.messages == [])
    }

    @Test func nothingIsLostOrHangsAfterWallClockJumps() async throws {
        let random = SplitMix64.fromEnvironment()
        print("Clock jumps; repeat them with TILL_TEST_SEED=\(random.seed)")
        try await Site.with { site in
            var run = try await ClockRun(site: site, random: random)
            for _ in 0..<12 {
                try await run.round()
            }
            try await run.settle()
            #expect(!run.findings.examined.isEmpty)
            #expect(run.findings.messages == [])
            #expect(run.findings.isClean)
        }
    }

    @Test func exactlyOneOfSimultaneousDaemonsServes() async throws {
        let random = SplitMix64.fromEnvironment()
        print("Start races; repeat them with TILL_TEST_SEED=\(random.seed)")
        try await Site.with { site in
            var run = StartRaces(site: site, random: random)
            for _ in 0..<10 {
                try await run.race()
            }
            #expect(run.findings.messages == [])
        }
    }
}
