import ArgumentParser
import FaultRuns
import TestValues

/// What all runs take.
struct RunOptions: ParsableArguments {
    @Option(help: "What chance starts from (default: TILL_TEST_SEED, or a new one, which is printed).")
    var seed: UInt64?

    var random: SplitMix64 {
        seed.map { SplitMix64(seed: $0) } ?? .fromEnvironment()
    }
}
