import Foundation

/// What strace wrote down of a daemon's system calls.
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

    /// The most of each call that one thread made.
    var mostOfOneThread: [String: Int] {
        var counts: [String: [Int: Int]] = [:]
        for line in lines {
            if let call = line.text.split(separator: "(").first, line.text.contains("("), !line.text.hasPrefix("<") {
                counts[String(call), default: [:]][line.thread, default: 0] += 1
            }
        }
        return counts.compactMapValues { $0.values.max() }
    }

    /// How often a call was made by all threads.
    func count(of call: String) -> Int {
        lines.count { $0.text.hasPrefix("\(call)(") }
    }

    /// When a call was made to fail for the first time.
    var firstInjection: Double? {
        lines.first { $0.text.hasSuffix("(INJECTED)") }?.time
    }

    /// The files whose descriptors the calls that were made to fail began with.
    var injectedPaths: [String] {
        lines.indices.filter { lines[$0].text.hasSuffix("(INJECTED)") }.compactMap { index in
            let line = lines[index]
            // A call that another thread's interrupted has its arguments where it began.
            let call =
                line.text.hasPrefix("<...")
                ? lines[..<index].last { $0.thread == line.thread && $0.text.hasSuffix("<unfinished ...>") }?.text
                : line.text
            return call?.firstMatch(of: /^\w+\(\d+<([^>]*)>/).map { String($0.output.1) }
        }
    }

    /// Whether Dispatch could not open what the system says of one of the process's threads.
    var hasInjectedLookAtThread: Bool {
        lines.contains { $0.text.hasSuffix("(INJECTED)") && $0.text.contains(/"\/proc\/\d+\/stat"/) }
    }

    /// When the last thread had ended.
    var end: Double? {
        lines.last { $0.text.hasPrefix("+++") }?.time
    }
}
