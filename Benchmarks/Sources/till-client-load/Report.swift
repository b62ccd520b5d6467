import Foundation

/// The output of a command.
enum Report {
    /// - Parameter numbers: The measurements. Missing numbers that all clients print are 0.
    static func printOut(_ numbers: [String: Double]) throws {
        let all = numbers.merging(["operations": 0, "events": 0, "errors": 0, "seconds": 0]) { given, _ in given }
        print(String(decoding: try JSONEncoder().encode(all), as: UTF8.self))
    }
}
