import ArgumentParser
import Foundation
import NIOConcurrencyHelpers
import TillClient
import TillModel
import TillOutput

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

struct BackupVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the ledger of the running daemon.",
        discussion: """
            For operators. Payments continue in the meantime; tilld restore-backup restores the file. Only root and the \
            daemon's own user get the keys that sign receipts. An interrupted backup leaves no file.

            Example: till backup /var/backups/till-monday.tar
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var reason: ReasonOption

    @Argument(
        help: ArgumentHelp("The new file, or - for the standard output.", valueName: "file"),
        completion: .file()
    )
    var path: String

    @Flag(help: "Include the keys that sign receipts.")
    var withKeys = false

    @Flag(help: "Replace the file if it exists.")
    var force = false

    func validate() throws {
        if path == InputFile.standardInput, common.json {
            throw ValidationError("--json needs the standard output, which gets the backup: name a file.")
        }
    }

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            guard path != InputFile.standardInput else {
                _ = try await take(from: store, console) { bytes in
                    try BackupOutput.write(bytes, to: STDOUT_FILENO, "The output")
                }
                return
            }
            let file = try BackupOutput(path: path, replaces: force)
            defer { file.discard() }
            let summary = try await take(from: store, console) { try file.write($0) }
            try file.publish()
            try console.print(BackupLine(path: path, summary: summary), asJSON: common.json)
        }
    }

    /// Passes the bytes of a backup on, and shows the progress.
    private func take(
        from store: TillOperator,
        _ console: Console,
        write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> BackupSummary {
        let result = NIOLockedValueBox<BackupSummary?>(nil)
        do {
            let interruption = try await console.untilInterrupted { [withKeys, reason = reason.recorded] in
                var meter: BackupMeter?
                defer { meter?.clear() }
                let summary = try await store.backUp(withKeys: withKeys, because: reason) { part in
                    try write(part.bytes)
                    var next = meter ?? BackupMeter(console, part.summary)
                    next.add(part.bytes.count)
                    meter = next
                }
                result.withLockedValue { $0 = summary }
            }
            if let interruption {
                throw CommandFailure(interruption, "The backup was stopped. \(notWritten)")
            }
        } catch let error as TillError {
            var failure = CommandFailure(error, socketPath: store.configuration.socketPath)
            failure.message = failure.message.map { "\($0) \(notWritten)" }
            throw failure
        }
        guard let summary = result.withLockedValue({ $0 }) else {
            throw CommandFailure(.fault, "The backup ended without a result. \(notWritten)")
        }
        return summary
    }

    private var notWritten: String {
        path == InputFile.standardInput ? "The output is not a complete backup." : "\(path) was not written."
    }
}

/// The progress of a backup on the terminal, in MiB.
private struct BackupMeter {
    private static let unit = 1 << 20

    private let bar: ProgressBar
    private var count = 0

    init(_ console: Console, _ summary: BackupSummary) {
        bar = ProgressBar(console, total: Int(clamping: summary.byteCount / UInt64(Self.unit)), unit: "MiB")
        bar.draw()
    }

    mutating func add(_ bytes: Int) {
        count += bytes
        bar.advance(to: count / Self.unit)
    }

    func clear() {
        bar.clear()
    }
}

/// A new file, which gets its name only when it is complete and flushed.
private final class BackupOutput: Sendable {
    private let path: String
    private let temporary: String
    private let replaces: Bool
    /// Created for the first bytes, when signals are already trapped: an earlier signal would leave the file behind.
    private let descriptor = NIOLockedValueBox<CInt>(-1)

    /// - Throws: `CommandFailure` if the file exists and is not to be replaced.
    init(path: String, replaces: Bool) throws(CommandFailure) {
        try Self.checkMayWrite(path, replaces: replaces)
        self.path = path
        self.replaces = replaces
        temporary = "\(Self.directory(of: path)).till-\(UUID().uuidString)"
    }

    deinit {
        let descriptor = descriptor.withLockedValue { $0 }
        if descriptor >= 0 {
            close(descriptor)
        }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        try Self.write(bytes, to: try openDescriptor(), path)
    }

    private func openDescriptor() throws(CommandFailure) -> CInt {
        let opened = descriptor.withLockedValue { descriptor in
            if descriptor < 0 {
                descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            }
            return descriptor
        }
        guard opened >= 0 else {
            throw Self.failure(path)
        }
        return opened
    }

    static func write(_ bytes: [UInt8], to descriptor: CInt, _ name: String) throws(CommandFailure) {
        let number = LineWriter.write(bytes, to: descriptor)
        guard number == 0 else {
            throw failure(name, number)
        }
    }

    /// Gives the file its name, durably.
    func publish() throws(CommandFailure) {
        try Self.checkMayWrite(path, replaces: replaces)
        guard fsync(try openDescriptor()) == 0, unsafe rename(temporary, path) == 0 else {
            throw Self.failure(path)
        }
        let directory = unsafe open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        guard directory >= 0, fsync(directory) == 0 else {
            throw Self.failure(path)
        }
    }

    /// Removes the file unless it has its name.
    func discard() {
        _ = unsafe unlink(temporary)
    }

    private static func checkMayWrite(_ path: String, replaces: Bool) throws(CommandFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            return
        }
        guard replaces, status.st_mode & S_IFMT == S_IFREG else {
            let remedy = replaces ? "name a file" : "name another file, or replace it with --force"
            throw CommandFailure(.badData, "\(path) exists\(replaces ? " and is not a file" : ""): \(remedy).")
        }
    }

    private static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func failure(_ name: String, _ number: CInt = errno) -> CommandFailure {
        let reason = unsafe String(cString: strerror(number))
        return CommandFailure(.outputFailed, "\(name) cannot be written: \(reason).")
    }
}

/// A backup that was taken.
struct BackupLine: OutputLine {
    let path: String
    let summary: BackupSummary

    var text: String {
        let keys = summary.hasKeys ? "with keys" : "without keys"
        return
            "\(path)  \(summary.byteCount) bytes  ledger \(summary.ledgerID.text)  \(summary.date.timestamp)  \(keys)"
    }

    var json: JSONObject {
        [
            "file": path,
            "bytes": Int64(clamping: summary.byteCount),
            "ledger_id": summary.ledgerID,
            "date": summary.date,
            "with_keys": summary.hasKeys,
        ]
    }
}
