import TestValues

/// Chance that can be repeated: what comes depends on the seed and on what is asked about, in no order.
struct Chance: Sendable {
    let seed: UInt64

    /// A number below the bound, always the same for the same question.
    func below(_ bound: Int, _ question: Int...) -> Int {
        var mixed = seed
        for part in question {
            mixed = SplitMix64.mix(mixed ^ UInt64(bitPattern: Int64(part)))
        }
        return Int(SplitMix64.mix(mixed) % UInt64(max(bound, 1)))
    }
}
