/// What is measured.
enum Scenario: String, CaseIterable, Codable, Sendable {
    /// Payments, jobs, messages or rows that are answered once they are stored.
    case adds
    /// A small call and its answer, with nothing to do in between.
    case echo
    /// What observers of a queue are sent of the adds to it.
    case fanOut = "fan-out"
    /// The ledger's rows without a server.
    case rows

    static var list: String {
        allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// The sizes that a run without `--shapes` measures.
    var shapes: [Shape] {
        switch self {
        case .adds: [Shape(1, 1), Shape(8, 1), Shape(64, 1), Shape(256, 1), Shape(1, 128), Shape(2, 128)]
        case .echo: [Shape(1, 1), Shape(1, 8), Shape(1, 64), Shape(1, 128)]
        case .fanOut: [Shape(1, 64), Shape(10, 64), Shape(100, 64), Shape(1000, 1)]
        case .rows: [Shape(1, 1), Shape(1, 10), Shape(1, 100), Shape(1, 1000)]
        }
    }

    /// What is counted.
    var unit: String {
        switch self {
        case .adds: "adds"
        case .echo: "calls"
        case .fanOut: "events"
        case .rows: "rows"
        }
    }
}
