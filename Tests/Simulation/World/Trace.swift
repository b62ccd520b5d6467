/// What happened in a simulation, in words; kept only for a replay.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Trace: @unchecked Sendable {
    private(set) var lines: [String] = []
    private let isKept: Bool

    init(isKept: Bool) {
        self.isKept = isKept
    }

    func note(_ time: Duration, _ text: () -> String) {
        if isKept {
            let milliseconds = Double(time / .microseconds(1)) / 1000
            lines.append("\(milliseconds.rounded()) ms  \(text())")
        }
    }
}
