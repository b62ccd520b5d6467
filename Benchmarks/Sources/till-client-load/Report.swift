import Foundation

/// What a command prints at its end.
enum Report {
    /// - Parameter numbers: What was measured; of the numbers that all clients print, what is missing is 0.
    static func printOut(_ numbers: [String: Double]) throws {
        let all = numbers.merging(["operations": 0, "events": 0, "errors": 0, "seconds": 0]) { given, _ in given }
        print(String(decoding: try JSONEncoder().encode(all), as: UTF8.self))
    }
}
