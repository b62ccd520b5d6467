package import FoundationEssentials

extension SystemCall {
    /// Reads the output of `strace -f -o` for one process. Also returns the end of its places.
    ///
    /// Line `n` has the places `2n` and `2n + 1`. A call on one line is entered at the first place, and returns at the
    /// second. The lines are in the order in which strace stopped the threads. If one thread learns something from
    /// another, its line is later.
    ///
    /// - Throws: `TraceError` if the trace is malformed, or ends before the process did.
    package static func calls(ofTrace data: Data) throws(TraceError) -> (calls: [SystemCall], end: Int) {
        var reader = TraceReader()
        let text = [UInt8](data)
        for line in text.split(separator: UInt8(ascii: "\n")) {
            try reader.read(line)
        }
        return try reader.finish()
    }
}

/// Joins the lines of a trace into calls.
private struct TraceReader {
    private struct Open {
        var text: [UInt8]
        var index: Int
    }

    /// The endings of a line whose call continues on a later line, or during which the process was killed.
    private static let cuts = [" <unfinished ...>", " <detached ...>"].map { Array($0.utf8) }
    /// The start of strace's text for the unknown result of a call, which appears if the process was killed as the call
    /// returned.
    private static let unknownError = Array("(errno ".utf8)
    private static let resumed = Array(" resumed>".utf8)

    private var calls: [SystemCall] = []
    /// Unfinished calls by thread.
    private var open: [Int: Open] = [:]
    private var line = 0
    /// The first thread. The process ends with it.
    private var main: Int?
    private var hasEnded = false

    mutating func read(_ text: ArraySlice<UInt8>) throws(TraceError) {
        defer { line += 1 }
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let thread = Int(String(decoding: digits, as: UTF8.self)) else {
            throw TraceError("Line \(line + 1) of the trace names no thread.")
        }
        main = main ?? thread
        let rest = text[digits.endIndex...].drop { $0 == UInt8(ascii: " ") }
        if rest.starts(with: "+++".utf8) {
            hasEnded = hasEnded || thread == main
        } else if rest.starts(with: "<...".utf8) {
            try resume(rest, of: thread)
        } else if let cut = Self.cuts.first(where: { rest.ends(with: $0) }) {
            open[thread] = Open(text: Array(rest.dropLast(cut.count)), index: calls.count)
            let begin = rest.prefix { $0 != UInt8(ascii: "(") }
            let name = String(decoding: begin, as: UTF8.self)
            calls.append(SystemCall(name, [], result: nil, begin: 2 * line, end: nil))
        } else if !rest.starts(with: "---".utf8) {
            calls.append(try call(rest, begin: 2 * line))
        }
    }

    mutating func finish() throws(TraceError) -> (calls: [SystemCall], end: Int) {
        guard hasEnded else {
            throw TraceError("The trace ends before its process does.")
        }
        // A call during which the process ended has its arguments, but no result.
        for first in open.values {
            calls[first.index] = try call((first.text + Array(") = ?".utf8))[...], begin: calls[first.index].begin)
        }
        return (calls, 2 * line)
    }

    private mutating func resume(_ rest: ArraySlice<UInt8>, of thread: Int) throws(TraceError) {
        guard let first = open.removeValue(forKey: thread), let place = rest.firstRange(of: Self.resumed) else {
            throw TraceError("Line \(line + 1) of the trace resumes nothing.")
        }
        let text = first.text + rest[place.upperBound...]
        calls[first.index] = try call(text[...], begin: calls[first.index].begin)
    }

    private func call(_ text: ArraySlice<UInt8>, begin: Int) throws(TraceError) -> SystemCall {
        guard let parenthesis = text.firstIndex(of: UInt8(ascii: "(")) else {
            throw TraceError("Line \(line + 1) of the trace is not a system call.")
        }
        let name = String(decoding: text[text.startIndex..<parenthesis], as: UTF8.self)
        var scanner = ArgumentScanner(text[(parenthesis + 1)...])
        let arguments = try scanner.arguments()
        let result = text[scanner.index...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "=") }
            .prefix { $0 != UInt8(ascii: " ") }
        let word = String(decoding: result, as: UTF8.self)
        let isUnknown = text[scanner.index...].firstRange(of: Self.unknownError) != nil
        let number = isUnknown ? nil : Int(word) ?? (word.hasPrefix("0x") ? 0 : nil)
        return SystemCall(name, arguments, result: number, begin: begin, end: number.map { _ in 2 * line + 1 })
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with suffix: [UInt8]) -> Bool {
        count >= suffix.count && self[(endIndex - suffix.count)...].elementsEqual(suffix)
    }
}
