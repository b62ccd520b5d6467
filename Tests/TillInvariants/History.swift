package import FoundationEssentials
package import TillEngine
package import TillModel

/// A fact with its time and the run of the program that wrote it.
package struct FactEntry: Hashable, Sendable, Codable {
    /// Nanoseconds on the machine's monotonic clock, which all processes share.
    package var at: UInt64
    /// The number of times that the program had started on this history, from 1.
    package var run: Int
    package var fact: Fact

    package init(at: UInt64, run: Int, fact: Fact) {
        self.at = at
        self.run = run
        self.fact = fact
    }
}

/// The facts of one application's process over all its runs, in order.
package struct History: Sendable {
    package var name: String
    package var queue: QueueName
    package var entries: [FactEntry]

    package init(name: String, queue: QueueName, entries: [FactEntry]) {
        self.name = name
        self.queue = queue
        self.entries = entries
    }

    /// Restores whose end the process saw.
    package var endedRestores: [UUID] {
        entries.compactMap { entry in
            if case .restoreEnded(_, let id, _) = entry.fact { id } else { nil }
        }
    }

    /// Reads one JSON object per line. An incomplete last line was truncated by a kill, and is not a fact.
    ///
    /// - Throws: `dataLoss` with the number of the malformed line.
    package static func entries(of data: Data) throws(TillError) -> [FactEntry] {
        let newline = UInt8(ascii: "\n")
        let whole = data.prefix(wholeLength(of: data))
        let decoder = JSONDecoder()
        var entries: [FactEntry] = []
        for (number, line) in whole.split(separator: newline).enumerated() {
            do {
                entries.append(try decoder.decode(FactEntry.self, from: Data(line)))
            } catch {
                throw TillError(.dataLoss, "Line \(number + 1) of the history cannot be read.", cause: error)
            }
        }
        return entries
    }

    /// The total length of the complete lines.
    package static func wholeLength(of data: Data) -> Int {
        data.lastIndex(of: UInt8(ascii: "\n")).map { data.distance(from: data.startIndex, to: $0) + 1 } ?? 0
    }
}
