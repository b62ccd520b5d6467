import Foundation
import Glibc
package import TillEngine
package import TillModel

/// The simulated provider's own book: a file of one JSON object a line, apart from the ledger, so that the two can be
/// compared. A charge or refund is in it once it was flushed to the disk.
///
/// Owned by one serial queue; it has no lock of its own.
package struct SimulatedRecord {
    package static let fileName = "simulated-charges.jsonl"

    private let path: String
    private let file: FileHandle
    private let encoder = JSONEncoder()

    /// Opens the record in `directory`, made if it is not there, together with what it holds.
    static func open(in directory: String) throws(TillError) -> (record: SimulatedRecord, entries: [SimulatedEntry]) {
        let path = "\(directory)/\(fileName)"
        do {
            if !FileManager.default.fileExists(atPath: path) {
                try create(path, in: directory)
            }
            let file = try FileHandle(forUpdating: URL(filePath: path))
            let entries = try readWholeLines(of: file, path: path)
            return (SimulatedRecord(path: path, file: file), entries)
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.failedPrecondition, "Cannot open the record of charges at \(path).", cause: error)
        }
    }

    /// The charges that the record in `directory` holds; none if there is no record. Does not change it.
    package static func charges(in directory: String) throws(TillError) -> [ProviderCharge] {
        let path = "\(directory)/\(fileName)"
        guard let data = FileManager.default.contents(atPath: path) else {
            return []
        }
        return SimulatedBook(try parse(data, path: path).entries).providerCharges(from: 0, limit: .max)
    }

    private init(path: String, file: FileHandle) {
        self.path = path
        self.file = file
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Appends the entries and flushes them with one flush.
    func append(_ entries: [SimulatedEntry]) throws {
        var lines = Data()
        for entry in entries {
            lines += try encoder.encode(entry)
            lines.append(UInt8(ascii: "\n"))
        }
        try file.write(contentsOf: lines)
        try file.synchronize()
    }

    private static func create(_ path: String, in directory: String) throws {
        guard
            FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw TillError(.failedPrecondition, "Cannot create the record of charges at \(path).")
        }
        // The name is durable only once its directory is.
        try FileHandle(fileDescriptor: descriptor(ofDirectory: directory), closeOnDealloc: true).synchronize()
    }

    private static func descriptor(ofDirectory path: String) throws -> CInt {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TillError(.failedPrecondition, "Cannot open the directory \(path).")
        }
        return descriptor
    }

    /// Reads the record, drops a line that a crash cut short, and leaves the file at its end.
    private static func readWholeLines(of file: FileHandle, path: String) throws -> [SimulatedEntry] {
        let (entries, length) = try parse(try file.readToEnd() ?? Data(), path: path)
        try file.truncate(atOffset: UInt64(length))
        try file.seekToEnd()
        return entries
    }

    /// - Returns: The entries, and the length of the lines that are whole.
    static func parse(_ data: Data, path: String) throws(TillError) -> (
        entries: [SimulatedEntry], length: Int
    ) {
        let newline = UInt8(ascii: "\n")
        let length = data.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let decoder = JSONDecoder()
        var entries: [SimulatedEntry] = []
        for (number, line) in data[..<length].split(separator: newline).enumerated() {
            do {
                entries.append(try decoder.decode(SimulatedEntry.self, from: Data(line)))
            } catch {
                throw TillError(
                    .dataLoss,
                    "Line \(number + 1) of the record of charges at \(path) cannot be read; restore the file from a backup.",
                    cause: error
                )
            }
        }
        return (entries, length)
    }
}
