import Foundation

/// What a process takes of the memory, as proc_pid_status(5) names it.
public enum ProcessMemory: String, Sendable {
    case now = "VmRSS"
    /// The most so far.
    case peak = "VmHWM"

    /// - Parameter process: Its identity; nil for this process.
    /// - Returns: Nil when the process is gone.
    public func kibibytes(of process: Int32? = nil) -> Double? {
        let folder = process.map(String.init) ?? "self"
        let status = try? String(contentsOfFile: "/proc/\(folder)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(rawValue):") }
        return line.flatMap { Double($0.filter(\.isNumber)) }
    }
}
