import NIOConcurrencyHelpers

/// How far something has come, in the last line of a terminal; nothing where there is none.
final class ProgressBar: Sendable {
    static let width = 30

    /// Back to the beginning of the line, without what stands there.
    private static let emptyLine = "\r\u{1B}[K"

    private let console: Console
    private let total: Int
    private let count = NIOLockedValueBox(0)

    /// - Parameter total: Without anything to do nothing is drawn.
    init(_ console: Console, total: Int) {
        self.console = console
        self.total = total
    }

    func draw() {
        guard total > 0 else {
            return
        }
        let count = count.withLockedValue { $0 }
        console.show?("\(Self.emptyLine)\(Self.text(count, of: total))")
    }

    /// Makes room for a line of output.
    func clear() {
        if total > 0 {
            console.show?(Self.emptyLine)
        }
    }

    /// One more is done; its line is printed meanwhile.
    func step(_ print: () throws -> Void) rethrows {
        clear()
        try print()
        count.withLockedValue { $0 += 1 }
        draw()
    }

    static func text(_ count: Int, of total: Int) -> String {
        let share = min(1, max(0, Double(count) / Double(max(1, total))))
        let filled = Int(Double(width) * share)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "[\(bar)] \(count) of \(total)"
    }
}
