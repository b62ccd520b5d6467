/// Random numbers that a seed determines, so that a failing test can be repeated
/// (https://prng.di.unimi.it/splitmix64.c).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    package mutating func next() -> UInt64 {
        defer { state &+= Self.increment }
        return Self.mix(state)
    }

    /// Returns the first number of the seed.
    package static func mix(_ seed: UInt64) -> UInt64 {
        var mixed = seed &+ increment
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
}
