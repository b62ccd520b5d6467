import Foundation
import TillEngine
import TillModel

extension Duration {
    /// The given number of seconds, limited to the range from zero to the furthest that a clock can be advanced at
    /// once.
    init(clamping seconds: TimeInterval) {
        let maximum = ClockReading.advanceMaximum / .seconds(1)
        self = seconds > 0 ? .seconds(min(seconds, maximum)) : .zero
    }
}
