import Foundation
import ProcessTesting

extension ChildProcess {
    /// The peak memory so far, in MiB; nil if the process has ended.
    var peakMemory: Int? {
        let status = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 / 1024 }
    }
}
