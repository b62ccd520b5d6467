import NIOConcurrencyHelpers

/// How far something has come, in the last line of a terminal; nothing where there is none.
final class ProgressBar: Sendable {
    static let width = 30

    /// Back to the beginning of the line, without what stands there.
    static let emptyLine = "\r\u{1B}[K"

    private let console: Console
    private let total: Int
    private let unit: String
    private let count = NIOLockedValueBox(0)

    /// - Parameters:
    ///   - total: Without anything to do nothing is drawn.
    ///   - unit: What is counted, if that needs to be said.
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

    /// So many are done by now; draws only what changed.
    func advance(to newCount: Int) {
        let isNews = count.withLockedValue { count in
            defer { count = newCount }
            return count != newCount
        }
        if isNews {
            draw()
        }
    }

    static func text(_ count: Int, of total: Int, _ unit: String = "") -> String {
        let share = Double(count) / Double(max(1, total))
        return "[\(bar(share))] \(count) of \(total)" + (unit.isEmpty ? "" : " \(unit)")
    }

    /// The bar alone.
    ///
    /// - Parameter share: From 0 to 1.
    static func bar(_ share: Double) -> String {
        let filled = Int(Double(width) * min(1, max(0, share)))
        return String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    }
}
