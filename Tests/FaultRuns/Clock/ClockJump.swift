import Foundation
import TestValues

/// A kind of jump of the wall clock.
enum ClockJump: CaseIterable {
    case years, seconds, overflow, right

    private static let yearsMaximum = 10 * 366 * 86400
    private static let secondsMaximum = 7200
    /// 2038-01-19T03:14:08Z, the first second that does not fit in 32 bits.
    private static let endOfInt32 = Date(timeIntervalSince1970: 2_147_483_648)

    /// Returns the clock's offset from the machine's clock after the jump.
    static func random(_ random: inout SplitMix64) -> Duration {
        switch ClockJump.allCases.randomElement(using: &random) ?? .right {
        case .years:
            .seconds(Int.random(in: -yearsMaximum...yearsMaximum, using: &random))
        case .seconds:
            .milliseconds(1000 * Int.random(in: -secondsMaximum...secondsMaximum, using: &random))
        case .overflow:
            .seconds(endOfInt32.timeIntervalSinceNow) + .milliseconds(Int.random(in: -3000...3000, using: &random))
        case .right:
            .zero
        }
    }
}
