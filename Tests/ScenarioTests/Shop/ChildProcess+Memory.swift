import Foundation
import ProcessTesting
import Testing

extension ChildProcess {
    /// The most memory that it has had so far, in MiB.
    var peakMemory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.filter(\.isNumber))) / 1024
        }
    }
}
