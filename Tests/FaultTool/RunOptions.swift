import ArgumentParser
import FaultRuns

/// What all runs take.
struct RunOptions: ParsableArguments {
    @Option(help: "What chance starts from (default: TILL_TEST_SEED, or a new one, which is printed).")
    var seed: UInt64?

    var random: SeededRandom {
        seed.map { SeededRandom(seed: $0) } ?? .fromEnvironment()
    }
}
