import ArgumentParser
import FaultRuns
import TestValues

/// The options of all runs.
struct RunOptions: ParsableArguments {
    @Option(help: "Repeat this seed (default: TILL_TEST_SEED, or a new one).")
    var seed: UInt64?

    var random: SplitMix64 {
        seed.map { SplitMix64(seed: $0) } ?? .fromEnvironment()
    }
}
