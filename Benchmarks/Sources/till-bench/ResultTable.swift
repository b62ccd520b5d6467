import Foundation

/// The results of all peers under one load.
struct ResultTable: Codable, Sendable {
    struct Row: Codable, Sendable {
        let peer: String
        let runs: [Figures]
        /// The reason if there are no figures.
        let note: String?
        /// Whether the reason is an unexpected failure.
        let isFailure: Bool

        var medians: Figures? {
            note == nil ? Figures(mediansOf: runs) : nil
        }
    }

    let scenario: Scenario
    let shape: Shape
    let seconds: Double
    let repetitions: Int
    /// In milliseconds.
    let slowFlush: Int?
    let rows: [Row]

    var text: String {
        let flush = slowFlush.map { ", each flush \($0) ms" } ?? ""
        let runs = "medians of \(repetitions) × \(seconds) s\(flush)"
        let title = "\(scenario.rawValue): \(shape.title(of: scenario)) (\(runs))"
        let heads = ["peer", "\(scenario.unit)/s", "p50 µs", "p99 µs", "p99.9 µs", "Till is"]
        return ([title, line(heads)] + rows.map(text)).joined(separator: "\n")
    }

    private func text(of row: Row) -> String {
        guard let medians = row.medians else {
            return pad(row.peer, to: 14, onTheLeft: false) + "  " + (row.note ?? "not measured")
        }
        let till = rows.first { $0.peer.hasPrefix("till") }
        let ratio = till?.medians.map { String(format: "%.2f ×", $0.perSecond / medians.perSecond) } ?? "–"
        let latencies = [medians.p50, medians.p99, medians.p999].map { String(format: "%.1f", $0) }
        return line([row.peer, String(format: "%.0f", medians.perSecond)] + latencies + [ratio])
    }

    private func line(_ cells: [String]) -> String {
        cells.enumerated().map { pad($1, to: $0 == 0 ? 14 : 11, onTheLeft: $0 > 0) }.joined()
    }

    private func pad(_ text: String, to width: Int, onTheLeft: Bool) -> String {
        let spaces = String(repeating: " ", count: max(0, width - text.count))
        return onTheLeft ? spaces + text : text + spaces
    }
}
