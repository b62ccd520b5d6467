import NIOConcurrencyHelpers

/// A progress bar in the last line of a terminal. Without a terminal it draws nothing.
final class ProgressBar: Sendable {
    static let width = 30

    /// The control characters that return to the beginning of the line and empty it.
    static let emptyLine = "\r\u{1B}[K"

    private let console: Console
    private let total: Int
    private let unit: String
    private let count = NIOLockedValueBox(0)

    /// - Parameters:
    ///   - total: The number of steps. With no steps the bar is not drawn.
    ///   - unit: The unit of a step, if the text should name it.
    init(_ console: Console, total: Int, unit: String = "") {
        self.console = console
        self.total = total
        self.unit = unit
    }

    func draw() {
        guard total > 0 else {
            return
        }
        let count = count.withLockedValue { $0 }
        console.show?("\(Self.emptyLine)\(Self.text(count, of: total, unit))")
    }

    /// Removes the bar, so that a line of output can be printed.
    func clear() {
        if total > 0 {
            console.show?(Self.emptyLine)
        }
    }

    /// Advances the bar by one step, and prints the output of that step above it.
    func step(_ print: () throws -> Void) rethrows {
        clear()
        try print()
        count.withLockedValue { $0 += 1 }
        draw()
    }

    /// Sets the number of completed steps. The bar is drawn only if the number changed.
    func advance(to newCount: Int) {
        let isChanged = count.withLockedValue { count in
            defer { count = newCount }
            return count != newCount
        }
        if isChanged {
            draw()
        }
    }

    static func text(_ count: Int, of total: Int, _ unit: String = "") -> String {
        let share = Double(count) / Double(max(1, total))
        return "[\(bar(share))] \(count) of \(total)" + (unit.isEmpty ? "" : " \(unit)")
    }

    /// The characters between the brackets.
    ///
    /// - Parameter share: From 0 to 1.
    static func bar(_ share: Double) -> String {
        let filled = Int(Double(width) * min(1, max(0, share)))
        return String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    }
}
