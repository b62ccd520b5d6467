/// A measured scenario.
enum Scenario: String, CaseIterable, Codable, Sendable {
    /// Payments, jobs, messages or rows that are answered once they are stored.
    case adds
    /// Payments through a Swift library, each from its add until it is finished and removed from the queue.
    case lives
    /// A small call and its answer, without work in between.
    case echo
    /// Events of adds that a queue's observers receive.
    case fanOut = "fan-out"
    /// The same at a pace below the daemon's capacity.
    case fanOutPaced = "fan-out-paced"
    /// The same as fan-out, with an additional observer that has stopped reading.
    case fanOutStopped = "fan-out-stopped"
    /// The ledger's rows without a server.
    case rows

    /// The sizes for a run without `--shapes`.
    var shapes: [Shape] {
        switch self {
        case .adds: [Shape(1, 1), Shape(8, 1), Shape(64, 1), Shape(256, 1), Shape(1, 128), Shape(2, 128)]
        case .lives: [Shape(1, 1), Shape(64, 1)]
        case .echo: [Shape(1, 1), Shape(1, 8), Shape(1, 64), Shape(1, 128)]
        case .fanOut: [Shape(1, 64), Shape(10, 64), Shape(100, 64), Shape(1000, 64)]
        case .fanOutPaced: [Shape(1, 64), Shape(100, 64), Shape(1000, 64)]
        case .fanOutStopped: [Shape(100, 64)]
        case .rows: [Shape(1, 1), Shape(1, 10), Shape(1, 100), Shape(1, 1000)]
        }
    }

    /// Whether observers are measured.
    var isFanOut: Bool {
        [.fanOut, .fanOutPaced, .fanOutStopped].contains(self)
    }

    /// The load generator's options for this scenario.
    var options: [String] {
        switch self {
        case .fanOutPaced: ["--rate", "\(Self.pace)"]
        case .fanOutStopped: ["--stopped", "1"]
        case .adds, .lives, .echo, .fanOut, .rows: []
        }
    }

    /// The number of adds per second in the paced scenario.
    static let pace = 300

    /// The unit of the count.
    var unit: String {
        switch self {
        case .adds: "adds"
        case .lives: "lives"
        case .echo: "calls"
        case .fanOut, .fanOutPaced, .fanOutStopped: "events"
        case .rows: "rows"
        }
    }
}
