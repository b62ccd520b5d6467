import Foundation

/// strace's log of a daemon's system calls.
struct CallLog {
    struct Line {
        var thread: Int
        var time: Double
        var text: Substring
    }

    private(set) var lines: [Line] = []

    init(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        lines = text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
            guard parts.count == 3, let thread = Int(parts[0]), let time = Double(parts[1]) else {
                return nil
            }
            return Line(thread: thread, time: time, text: parts[2])
        }
    }

    /// The maximum number of calls of each kind by one thread.
    var mostOfOneThread: [String: Int] {
        var counts: [String: [Int: Int]] = [:]
        for line in lines {
            if let call = line.text.split(separator: "(").first, line.text.contains("("), !line.text.hasPrefix("<") {
                counts[String(call), default: [:]][line.thread, default: 0] += 1
            }
        }
        return counts.compactMapValues { $0.values.max() }
    }

    /// The number of calls of a kind by all threads.
    func count(of call: String) -> Int {
        lines.count { $0.text.hasPrefix("\(call)(") }
    }

    /// The time at which a call first failed by injection.
    var firstInjection: Double? {
        lines.first { $0.text.hasSuffix("(INJECTED)") }?.time
    }

    /// The paths of the descriptors that failing calls have as their first argument.
    var injectedPaths: [String] {
        lines.indices.filter { lines[$0].text.hasSuffix("(INJECTED)") }.compactMap { index in
            let line = lines[index]
            // If another thread's call interrupted the line, the arguments are on the line where the call began.
            let call =
                line.text.hasPrefix("<...")
                ? lines[..<index].last { $0.thread == line.thread && $0.text.hasSuffix("<unfinished ...>") }?.text
                : line.text
            return call?.firstMatch(of: /^\w+\(\d+<([^>]*)>/).map { String($0.output.1) }
        }
    }

    /// Whether Dispatch failed to open the system's status of one of the process's threads.
    var hasInjectedLookAtThread: Bool {
        lines.contains { $0.text.hasSuffix("(INJECTED)") && $0.text.contains(/"\/proc\/\d+\/stat"/) }
    }

    /// The time at which the last thread ended.
    var end: Double? {
        lines.last { $0.text.hasPrefix("+++") }?.time
    }
}
