import Foundation

/// Chance that a failing test can be given again, by `TILL_TEST_SEED` (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The seed that the environment names, or a new one.
    package static func fromEnvironment() -> SeededRandom {
        let seed = ProcessInfo.processInfo.environment["TILL_TEST_SEED"].flatMap { UInt64($0) }
        return SeededRandom(seed: seed ?? UInt64.random(in: 1...999_999_999))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
