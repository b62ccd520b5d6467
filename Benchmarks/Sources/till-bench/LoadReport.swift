import Foundation

/// The output of a client at the end of a run.
struct LoadReport: Decodable {
    let operations: UInt64
    let events: UInt64
    let errors: UInt64
    let seconds: Double

    /// - Parameter output: What a client has printed.
    init(_ output: Data) throws {
        self = try JSONDecoder().decode(LoadReport.self, from: output)
    }

    var operationsPerSecond: Double {
        Double(operations) / seconds
    }
}
