/// What is measured.
enum Scenario: String, CaseIterable, Codable, Sendable {
    /// Payments, jobs, messages or rows that are answered once they are stored.
    case adds
    /// Payments through a library for Swift, each from its adding until it is finished and out of the queue.
    case lives
    /// A small call and its answer, with nothing to do in between.
    case echo
    /// What observers of a queue are sent of the adds to it.
    case fanOut = "fan-out"
    /// The same at a pace that leaves everybody time.
    case fanOutPaced = "fan-out-paced"
    /// The same as fan-out, with another observer that has stopped reading.
    case fanOutStopped = "fan-out-stopped"
    /// The ledger's rows without a server.
    case rows

    /// The sizes that a run without `--shapes` measures.
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

    /// The load generator's options that make the difference.
    var options: [String] {
        switch self {
        case .fanOutPaced: ["--rate", "\(Self.pace)"]
        case .fanOutStopped: ["--stopped", "1"]
        case .adds, .lives, .echo, .fanOut, .rows: []
        }
    }

    /// Of adds that are paced, how many there are a second.
    static let pace = 300

    /// What is counted.
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
