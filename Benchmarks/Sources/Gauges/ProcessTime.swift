import Foundation
import Glibc

/// The processor time of a process and its children, by proc_pid_stat(5).
public enum ProcessTime {
    /// Where the fields are behind the name, which may have spaces and ends with the last parenthesis.
    private static let times = 11..<15

    /// The seconds that the process, its children that have ended and those that run have used.
    ///
    /// - Returns: Nil if the process has ended.
    public static func seconds(of process: Int32) -> Double? {
        guard let own = ticks(of: process, times) else {
            return nil
        }
        let ofChildren = children(of: process).compactMap { ticks(of: $0, times) }
        return ([own] + ofChildren).reduce(0, +) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    private static func ticks(of process: Int32, _ fields: Range<Int>) -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else {
            return nil
        }
        let numbers = text[text.index(after: name)...].split(separator: " ")
        guard numbers.count >= fields.upperBound else {
            return nil
        }
        return numbers[fields].compactMap { Double($0) }.reduce(0, +)
    }

    private static func children(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.split(separator: " ").compactMap { Int32($0) } ?? []
    }
}
