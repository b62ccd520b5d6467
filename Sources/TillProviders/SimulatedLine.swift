import Foundation
import TillModel

/// The form of a line of the simulated provider's record: an entry's JSON object that ends in a checksum, and in whether
/// the file is known to be flushed as far as this line.
///
/// A process appends lines, flushes them, and only then writes the flush mark into the last one. A loss of power before
/// the flush leaves any of the sectors, so that the file may be longer than what was written of it. Where a mark follows,
/// the flush was over: damage before it cannot be of a loss of power.
enum SimulatedLine {
    /// An entry, or what is wrong with a line.
    enum Reading {
        case entry(SimulatedEntry)
        /// Without a checksum, as earlier versions wrote lines.
        case unchecked(SimulatedEntry)
        case damaged(any Error)
    }

    private struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// What a line ends with once it is flushed; it takes the place of ``unflushedEnd``.
    static let flushMark = Data("1}\n".utf8)
    private static let unflushedEnd = Data("0}\n".utf8)
    private static let sumStart = Data(",\"sum\":\"".utf8)
    private static let flushedStart = Data("\",\"flushed\":".utf8)
    private static let sumLength = 16

    static func text(of entry: SimulatedEntry) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let object = try encoder.encode(entry).dropLast()
        return object + sumStart + sum(object) + flushedStart + unflushedEnd
    }

    /// - Parameter line: With its newline.
    static func isMarkedFlushed(_ line: Data) -> Bool {
        split(line) != nil && line.suffix(flushMark.count) == flushMark
    }

    /// - Parameter line: With its newline.
    static func read(_ line: Data) -> Reading {
        let parts = split(line)
        if let (object, sum) = parts, self.sum(object) != sum {
            return .damaged(Damage(description: "its checksum does not match"))
        }
        do {
            let entry = try JSONDecoder().decode(SimulatedEntry.self, from: Data(line))
            return parts == nil ? .unchecked(entry) : .entry(entry)
        } catch {
            return .damaged(error)
        }
    }

    /// What the checksum covers, and the checksum; nil for a line without one.
    private static func split(_ line: Data) -> (object: Data, sum: Data)? {
        let end = line.dropLast(flushMark.count)
        guard [flushMark, unflushedEnd].contains(line.suffix(flushMark.count)), end.hasEnd(flushedStart) else {
            return nil
        }
        let sum = end.dropLast(flushedStart.count).suffix(sumLength)
        let start = end.dropLast(flushedStart.count + sum.count)
        guard start.hasEnd(sumStart) else {
            return nil
        }
        return (start.dropLast(sumStart.count), sum)
    }

    /// FNV-1a of 64 bits, in hexadecimal digits: it guards against what a disk does, not against people.
    private static func sum(_ bytes: Data) -> Data {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return Data((String(repeating: "0", count: sumLength - digits.count) + digits).utf8)
    }
}

extension Data {
    fileprivate func hasEnd(_ other: Data) -> Bool {
        suffix(other.count) == other
    }
}

extension SimulatedRecord {
    /// What a record's file holds.
    struct Contents {
        var entries: [SimulatedEntry] = []
        /// Of the lines that count; what follows was never flushed, and so nobody was told of it.
        var length = 0
        /// As far as a mark says that the file was flushed.
        var flushedLength = 0
        /// Whether the last line that counts has a place for a mark.
        var isEndMarkable = false
        fileprivate var lines = 0
    }

    /// Reads the bytes of a record as far as they were certainly written by this provider.
    ///
    /// - Throws: `dataLoss` that names the first line that cannot be read, unless that can only be of an append that was
    ///   never flushed.
    static func parse(_ data: Data, path: String) throws(TillError) -> Contents {
        var contents = Contents()
        while let line = line(of: data, at: contents.length) {
            switch SimulatedLine.read(line) {
            case .entry(let entry):
                contents.add(entry, line, isMarkable: true)
            case .unchecked(let entry) where !contents.isEndMarkable:
                contents.add(entry, line, isMarkable: false)
            case .unchecked, .damaged:
                guard isUnflushed(data[contents.length...], after: contents) else {
                    throw damage(line, number: contents.lines + 1, path: path)
                }
                return contents
            }
        }
        return contents
    }

    /// Whether a damaged end of the file can only be of an append that was never flushed.
    private static func isUnflushed(_ end: Data, after contents: Contents) -> Bool {
        var isDamageWritten = !contents.isEndMarkable
        var offset = end.startIndex
        while let line = line(of: end, at: offset) {
            switch SimulatedLine.read(line) {
            case _ where SimulatedLine.isMarkedFlushed(line): return false
            case .unchecked: return false
            case .entry: isDamageWritten = false
            case .damaged: isDamageWritten = isDamageWritten && !line.contains(0)
            }
            offset += line.count
        }
        // Behind lines of an earlier version, which bear no marks, only bytes that were never written prove it.
        return !isDamageWritten
    }

    /// The line that begins at an offset, with its newline; nil when no newline follows.
    private static func line(of data: Data, at offset: Int) -> Data? {
        let rest = data[offset...]
        return rest.firstIndex(of: UInt8(ascii: "\n")).map { rest[...$0] }
    }

    private static func damage(_ line: Data, number: Int, path: String) -> TillError {
        var cause: (any Error)?
        if case .damaged(let error) = SimulatedLine.read(line) {
            cause = error
        }
        return TillError(
            .dataLoss,
            "Line \(number) of the record of charges at \(path) cannot be read; restore the file from a backup.",
            cause: cause
        )
    }
}

extension SimulatedRecord.Contents {
    fileprivate mutating func add(_ entry: SimulatedEntry, _ line: Data, isMarkable: Bool) {
        entries.append(entry)
        lines += 1
        length += line.count
        isEndMarkable = isMarkable
        if SimulatedLine.isMarkedFlushed(line) {
            flushedLength = length
        }
    }
}
