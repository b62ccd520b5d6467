package import Foundation
import Glibc
import TillModel
import TillSQLite

/// Puts a backup into an empty or missing state directory.
///
/// All files are written to a directory inside it, whose existence makes every start refuse the state directory. They get
/// their names once the backup is known to be complete, and only then that directory goes. So after a crash, the state is
/// whole or refused.
package struct StateRestore {
    /// What was restored.
    package struct Outcome: Hashable, Sendable {
        package var ledgerID: UUID
        /// When the backup was taken.
        package var date: Date
        /// Whether the keys that sign receipts were in it.
        package var hasKeys: Bool
    }

    private let state: StateDirectory
    private let restoring: RestoredFiles

    /// Restores the backup. Blocks on the disk.
    ///
    /// - Throws: `invalidArgument` for a file that is not a complete, unaltered backup; `failedPrecondition` if the state
    ///   directory is not empty or cannot be used. Then it is as it was.
    package static func run(file path: String, stateDirectory: String) throws -> Outcome {
        let file = try BackupFile(path: path)
        let existed = unsafe access(stateDirectory, F_OK) == 0
        let state = try StateDirectory(path: stateDirectory)
        guard try FileManager.default.contentsOfDirectory(atPath: state.path).isEmpty else {
            throw TillError(
                .failedPrecondition,
                "\(state.path) is not empty: name a new directory for the restored state, or move the old state away."
            )
        }
        let lock = try FileLock(path: state.lockPath, protecting: "The state directory \(state.path)")
        defer { withExtendedLifetime(lock) {} }
        do {
            var reader = try BackupReader(path: path, file)
            return try StateRestore(state).restore(from: &reader)
        } catch {
            remove(state, keepsDirectory: existed)
            throw error
        }
    }

    private init(_ state: StateDirectory) throws(TillError) {
        self.state = state
        restoring = try RestoredFiles(directory: state.restoringPath)
    }

    /// Removes what an unsuccessful restore has written.
    private static func remove(_ state: StateDirectory, keepsDirectory: Bool) {
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: state.path)) ?? [] {
            try? manager.removeItem(atPath: "\(state.path)/\(name)")
        }
        if !keepsDirectory {
            _ = unsafe rmdir(state.path)
        }
    }

    private func restore(from reader: inout BackupReader) throws -> Outcome {
        var writing: RestoredFiles.Writer?
        let manifest = try reader.read { member in
            try writing?.finish()
            writing = try restoring.create(member)
        } write: { bytes in
            try writing?.write(bytes)
        }
        try writing?.finish()
        let ledgerPath = restoring.path(of: .ledger)
        guard try SQLiteLedger.beginTimeline(path: ledgerPath) == manifest.ledgerID else {
            throw TillError(
                .invalidArgument,
                "\(reader.path) is damaged or was altered: it names another ledger than it has. Use another backup."
            )
        }
        try publish(manifest)
        return Outcome(ledgerID: manifest.ledgerID, date: manifest.date, hasKeys: manifest.keys)
    }

    /// Gives the files their names, the ledger last.
    private func publish(_ manifest: BackupManifest) throws(TillError) {
        try restoring.flush(.ledger)
        var moves: [(BackupMember, String)] = []
        for member in manifest.members {
            switch member {
            case .roots: moves.append((member, state.formerRootsPath))
            case .record: moves.append((member, "\(state.path)/\(member.rawValue)"))
            case .manifest, .ledger, .sums, .rootKey, .intermediateKey, .leafKey: break
            }
        }
        for (member, path) in moves {
            try Self.move(restoring.path(of: member), to: path)
        }
        if manifest.keys {
            try Self.move(restoring.keysPath, to: state.receiptsPath)
        }
        try Self.move(restoring.path(of: .ledger), to: state.ledgerPath)
        try RestoredFiles.flush(directory: state.path)
        try restoring.remove()
        try RestoredFiles.flush(directory: state.path)
    }

    private static func move(_ path: String, to target: String) throws(TillError) {
        guard unsafe rename(path, target) == 0 else {
            throw .systemCall("Cannot rename \(path) to \(target)")
        }
    }
}

/// The files of a backup that is being restored.
private struct RestoredFiles {
    private static let directoryMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600

    let directory: String

    /// Creates the directory.
    init(directory: String) throws(TillError) {
        self.directory = directory
        for path in [directory, keysPath] where unsafe mkdir(path, Self.directoryMode) != 0 {
            throw .systemCall("Cannot create the directory \(path)")
        }
        // The mark that the restore is incomplete must not be lost while files beside it are not.
        let parent = URL(filePath: directory).deletingLastPathComponent().path
        try Self.flush(directory: parent)
    }

    /// The directory of the keys that sign receipts.
    var keysPath: String {
        "\(directory)/receipts"
    }

    func path(of member: BackupMember) -> String {
        "\(directory)/\(member.rawValue)"
    }

    /// Removes the directory, which the files have left.
    func remove() throws(TillError) {
        // If the keys were moved, it is gone.
        _ = unsafe rmdir(keysPath)
        guard unsafe rmdir(directory) == 0 else {
            throw .systemCall("Cannot remove the directory \(directory)")
        }
    }

    func flush(_ member: BackupMember) throws(TillError) {
        try Self.flush(path(of: member), O_RDONLY)
    }

    static func flush(directory: String) throws(TillError) {
        try flush(directory, O_RDONLY | O_DIRECTORY)
    }

    private static func flush(_ path: String, _ flags: CInt) throws(TillError) {
        let descriptor = unsafe open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .systemCall("Cannot open \(path)")
        }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw .systemCall("Cannot flush \(path)")
        }
    }

    func create(_ member: BackupMember) throws(TillError) -> Writer {
        let path = path(of: member)
        let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, Self.fileMode)
        guard descriptor >= 0 else {
            throw .systemCall("Cannot create \(path)")
        }
        return Writer(path: path, descriptor: descriptor)
    }

    /// Writes one of the files.
    final class Writer {
        private let path: String
        private let descriptor: CInt

        init(path: String, descriptor: CInt) {
            self.path = path
            self.descriptor = descriptor
        }

        deinit {
            Glibc.close(descriptor)
        }

        func write(_ bytes: [UInt8]) throws(TillError) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = retryingInterruptions { unsafe Glibc.write(descriptor, Array(rest), rest.count) }
                guard count > 0 else {
                    throw .systemCall("Cannot write \(path)")
                }
                rest = rest.dropFirst(count)
            }
        }

        /// Makes the file and its name durable.
        func finish() throws(TillError) {
            guard fsync(descriptor) == 0 else {
                throw .systemCall("Cannot flush \(path)")
            }
            try RestoredFiles.flush(directory: URL(filePath: path).deletingLastPathComponent().path)
        }
    }
}
