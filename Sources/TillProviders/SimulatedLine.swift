import Foundation
import TillModel

/// The format of a line of the simulated provider's record: an entry's JSON object that ends with a checksum and a mark
/// whether the file is known to be flushed up to this line.
///
/// A process appends lines, flushes them, and only then writes the flush mark into the last one. A power failure before
/// the flush keeps any subset of the sectors, so that the file may be longer than its written part. If a mark follows,
/// the flush had ended: damage before the mark cannot come from a power failure.
enum SimulatedLine {
    /// The result of reading a line.
    enum Reading {
        case entry(SimulatedEntry)
        /// A line without a checksum, as earlier versions wrote it.
        case unchecked(SimulatedEntry)
        case damaged(any Error)
    }

    private struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// The end of a flushed line, which replaces ``unflushedEnd``.
    static let flushMark = Data("1}\n".utf8)
    private static let unflushedEnd = Data("0}\n".utf8)
    private static let sumStart = Data(",\"sum\":\"".utf8)
    private static let flushedStart = Data("\",\"flushed\":".utf8)
    private static let sumLength = 16

    /// The line of an entry, in the same bytes as of earlier versions, which wrote it with `JSONEncoder`.
    static func text(of entry: SimulatedEntry) -> [UInt8] {
        var object = FlatJSON(hasShortEscapes: true)
        entry.write(to: &object)
        object.add("sum", sum(object.bytes))
        object.add("flushed", 0)
        return object.closed() + [UInt8(ascii: "\n")]
    }

    /// - Parameter line: The line with its newline.
    static func isMarkedFlushed(_ line: Data) -> Bool {
        split(line) != nil && line.suffix(flushMark.count) == flushMark
    }

    /// - Parameter line: The line with its newline.
    static func read(_ line: Data) -> Reading {
        let parts = split(line)
        if let (object, sum) = parts, !sum.elementsEqual(self.sum(object).utf8) {
            return .damaged(Damage(description: "its checksum does not match"))
        }
        do {
            let entry = try JSONDecoder().decode(SimulatedEntry.self, from: Data(line))
            return parts == nil ? .unchecked(entry) : .entry(entry)
        } catch {
            return .damaged(error)
        }
    }

    /// The bytes that the checksum covers, and the checksum; nil for a line without one.
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

    /// 64-bit FNV-1a in hexadecimal digits: it detects disk errors, not manipulation.
    private static func sum(_ bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: sumLength - digits.count) + digits
    }
}

extension Data {
    fileprivate func hasEnd(_ other: Data) -> Bool {
        suffix(other.count) == other
    }
}

extension SimulatedRecord {
    /// The contents of a record's file.
    struct Contents {
        var entries: [SimulatedEntry] = []
        /// The length of the valid lines; bytes after them were never flushed, so no call was answered with them.
        var length = 0
        /// The length up to which a mark says that the file was flushed.
        var flushedLength = 0
        /// Whether the last valid line has space for a mark.
        var isEndMarkable = false
        fileprivate var lines = 0
    }

    /// Reads the bytes of a record as far as they were certainly written by this provider.
    ///
    /// - Throws: `dataLoss` that names the first line that cannot be read, unless it can only belong to an append that
    ///   was never flushed.
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

    /// Whether a damaged end of the file can only belong to an append that was never flushed.
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
        // After lines of an earlier version, which have no marks, only bytes that were never written prove it.
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
