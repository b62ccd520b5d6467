import Foundation

/// The output of a client at the end of a run.
struct LoadReport: Decodable {
    let operations: UInt64
    let events: UInt64
    let errors: UInt64
    let seconds: Double

    /// The operations a second that a client has printed.
    static func operationsPerSecond(in output: Data) throws -> Double {
        let report = try JSONDecoder().decode(LoadReport.self, from: output)
        return Double(report.operations) / report.seconds
    }
}
