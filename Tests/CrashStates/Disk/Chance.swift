/// Chance that can be repeated: what comes depends on the seed and on what is asked about, in no order (SplitMix64).
struct Chance: Sendable {
    let seed: UInt64

    /// A number below the bound, always the same for the same question.
    func below(_ bound: Int, _ question: Int...) -> Int {
        var mixed = seed
        for part in question {
            mixed = Self.mix(mixed ^ UInt64(bitPattern: Int64(part)))
        }
        return Int(Self.mix(mixed) % UInt64(max(bound, 1)))
    }

    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
