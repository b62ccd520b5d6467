import Foundation
package import ProcessTesting

/// The memory and descriptors of a process at one moment.
package struct ProcessUsage: Hashable, Sendable {
    package var residentKibibytes: Int
    package var descriptors: Int

    /// Returns nil if the process has ended.
    package init?(of process: ChildProcess) {
        let directory = "/proc/\(process.processID)"
        guard let status = try? String(contentsOfFile: "\(directory)/status", encoding: .utf8),
            let resident = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })?
                .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }),
            let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/fd").count
        else {
            return nil
        }
        residentKibibytes = resident
        self.descriptors = descriptors
    }
}
