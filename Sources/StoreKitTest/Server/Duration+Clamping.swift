import Foundation
import TillEngine
import TillModel

extension Duration {
    /// So many seconds, but none below zero, and no more than a clock is advanced at once.
    init(clamping seconds: TimeInterval) {
        let maximum = ClockReading.advanceMaximum / .seconds(1)
        self = seconds > 0 ? .seconds(min(seconds, maximum)) : .zero
    }
}
