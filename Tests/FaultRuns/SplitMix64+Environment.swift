import Foundation
package import TestValues

extension SplitMix64 {
    /// Makes a generator with the seed in `TILL_TEST_SEED`, or with a new one.
    package static func fromEnvironment() -> SplitMix64 {
        let seed = ProcessInfo.processInfo.environment["TILL_TEST_SEED"].flatMap { UInt64($0) }
        return SplitMix64(seed: seed ?? UInt64.random(in: 1...999_999_999))
    }
}
