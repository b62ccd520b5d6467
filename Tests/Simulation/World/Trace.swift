/// The events of a simulation as text, which are kept only for a replay.
// One thread runs the whole simulation, so no two threads access this.
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
