import Foundation

/// All tables of a benchmark, and the machine and software that produced them.
struct Report: Codable, Sendable {
    struct Skipped: Codable, Sendable {
        let peer: String
        let reason: String
    }

    var date = ISO8601DateFormatter().string(from: Date())
    var processors = ProcessInfo.processInfo.activeProcessorCount
    var system = ProcessInfo.processInfo.operatingSystemVersionString
    var skipped: [Skipped]
    var tables: [ResultTable] = []
    var trials: [TrialTable] = []

    /// Whether a measurement failed unexpectedly.
    var hasFailures: Bool {
        tables.contains { $0.rows.contains(where: \.isFailure) } || trials.contains { $0.failure != nil }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
