import Foundation

/// Latencies in the benchmark's file format.
enum Samples {
    static func units(_ duration: Duration) -> UInt32 {
        UInt32(clamping: Int(duration / .nanoseconds(100)))
    }

    static func write(_ units: [UInt32], to path: String) throws {
        let bytes = units.flatMap { unit in stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: unit >> $0) }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
