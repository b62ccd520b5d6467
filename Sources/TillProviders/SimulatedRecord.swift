import Foundation
import Glibc
package import TillEngine
package import TillModel

/// The simulated provider's record: a file with one JSON object a line, separate from the ledger, so that the two can
/// be compared. A charge or refund is in it once it is flushed to the disk.
///
/// Owned by one serial queue; it has no lock of its own.
package struct SimulatedRecord {
    package static let fileName = "simulated-charges.jsonl"

    private let path: String
    private let file: FileHandle

    /// Opens the record in `directory`, or creates it, and reads its entries. All of them are on the disk when this
    /// returns.
    static func open(in directory: String) throws(TillError) -> (record: SimulatedRecord, entries: [SimulatedEntry]) {
        let path = "\(directory)/\(fileName)"
        do {
            let file = try handle(path, O_RDWR | O_CREAT)
            // The file's name is durable only once its directory is flushed, and the process that created it may have
            // crashed before that.
            try handle(directory, O_RDONLY | O_DIRECTORY).synchronize()
            let record = SimulatedRecord(path: path, file: file)
            return (record, try record.recover())
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.failedPrecondition, "Cannot open the record of charges at \(path).", cause: error)
        }
    }

    /// The charges that the record in `directory` holds; none if there is no record. Does not change it.
    package static func charges(in directory: String) throws(TillError) -> [ProviderCharge] {
        Array(SimulatedBook(try entries(in: directory)).providerCharges)
    }

    /// Adds those of the entries that the record in `directory` does not have; creates no record for none.
    package static func add(_ entries: [SimulatedEntry], in directory: String) throws(TillError) {
        guard !entries.isEmpty else {
            return
        }
        let (record, present) = try open(in: directory)
        let missing = SimulatedEntry.missing(of: entries, in: present)
        if !missing.isEmpty {
            try record.append(missing)
        }
    }

    /// Renames the record's file, whose entries are elsewhere now, so that no daemon charges by it again.
    package static func markMoved(in directory: String) throws(TillError) {
        let path = "\(directory)/\(fileName)"
        do {
            try FileManager.default.moveItem(atPath: path, toPath: "\(path).moved-\(UUID.version7().text)")
        } catch {
            throw TillError(.failedPrecondition, "Cannot rename the record of charges at \(path).", cause: error)
        }
    }

    /// All entries of the record in `directory`; none without a record. Does not change it.
    package static func entries(in directory: String) throws(TillError) -> [SimulatedEntry] {
        let path = "\(directory)/\(fileName)"
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw TillError(.failedPrecondition, "Cannot read the record of charges at \(path).", cause: error)
        }
        return try parse(data, path: path).entries
    }

    private init(path: String, file: FileHandle) {
        self.path = path
        self.file = file
    }

    /// Appends the entries and flushes them with one flush. After an error the state of the disk is unknown: the record
    /// must not be used again, and the next process that opens it recovers it.
    func append(_ entries: [SimulatedEntry]) throws(TillError) {
        do {
            try file.seekToEnd()
            try file.write(contentsOf: entries.flatMap(SimulatedLine.text))
            try file.synchronize()
            try markFlushed()
        } catch {
            throw TillError(
                .unavailable,
                "Cannot write the record of charges at \(path): check the disk, then start the daemon again.",
                cause: error
            )
        }
    }

    /// The bytes of all entries. Between two calls of ``append(_:)`` they are flushed, and never change again.
    func byteCount() throws(TillError) -> Int {
        do {
            return Int(try file.seekToEnd())
        } catch {
            throw TillError(.unavailable, "Cannot read the record of charges at \(path).", cause: error)
        }
    }

    /// Marks in the last line that all of the file was flushed. If the mark is lost, the next start flushes again.
    private func markFlushed() throws {
        let end = try file.seekToEnd()
        try file.seek(toOffset: end - UInt64(SimulatedLine.flushMark.count))
        try file.write(contentsOf: SimulatedLine.flushMark)
    }

    /// Opens a file without truncating it; a new file is readable by its owner only.
    private static func handle(_ path: String, _ flags: CInt) throws -> FileHandle {
        let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw TillError(.failedPrecondition, "Cannot open \(path): \(reason).")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Reads the record, removes the end that was never flushed, and flushes the part that no mark says was flushed.
    private func recover() throws -> [SimulatedEntry] {
        let data = try file.readToEnd() ?? Data()
        let contents = try Self.parse(data, path: path)
        if contents.length < data.count {
            try file.truncate(atOffset: UInt64(contents.length))
        }
        guard contents.flushedLength < data.count else {
            return contents.entries
        }
        // A failed flush may have left these bytes in the page cache as if they were on the disk, so that another flush
        // would skip them: so they are written again.
        try file.seek(toOffset: UInt64(contents.flushedLength))
        try file.write(contentsOf: data[contents.flushedLength..<contents.length])
        try file.synchronize()
        if contents.isEndMarkable {
            try markFlushed()
        }
        return contents.entries
    }
}
