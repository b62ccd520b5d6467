import Foundation

/// A figure of a process's memory, named as in proc_pid_status(5).
public enum ProcessMemory: String, Sendable {
    case now = "VmRSS"
    /// The peak so far.
    case peak = "VmHWM"

    /// - Parameter process: The process identifier; nil for this process.
    /// - Returns: Nil if the process has ended.
    public func kibibytes(of process: Int32? = nil) -> Double? {
        let folder = process.map(String.init) ?? "self"
        let status = try? String(contentsOfFile: "/proc/\(folder)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(rawValue):") }
        return line.flatMap { Double($0.filter(\.isNumber)) }
    }
}
