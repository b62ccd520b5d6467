import TestValues

/// A repeatable source of chance. A result depends only on the seed and the question, not on the order of the
/// questions.
struct Chance: Sendable {
    let seed: UInt64

    /// Returns a number below the bound, which is always the same for the same question.
    func below(_ bound: Int, _ question: Int...) -> Int {
        var mixed = seed
        for part in question {
            mixed = SplitMix64.mix(mixed ^ UInt64(bitPattern: Int64(part)))
        }
        return Int(SplitMix64.mix(mixed) % UInt64(max(bound, 1)))
    }
}
