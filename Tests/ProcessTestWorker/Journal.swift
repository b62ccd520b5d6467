import Foundation
import Glibc
import Synchronization
import TillInvariants

/// The application's history on disk. Each fact is one line, written with one call, so a kill truncates at most the
/// last line.
final class Journal: Sendable {
    /// The number of times that the program has started on this history, from 1.
    let run: Int
    private let file: Mutex<CInt>

    private init(file: CInt, run: Int) {
        self.file = Mutex(file)
        self.run = run
    }

    /// Opens the history, and removes a truncated last line.
    ///
    /// - Returns: The journal and its facts.
    static func open(path: String) throws -> (journal: Journal, past: [FactEntry]) {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        let past = try History.entries(of: data)
        let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0, ftruncate(file, off_t(History.wholeLength(of: data))) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        return (Journal(file: file, run: (past.last?.run ?? 0) + 1), past)
    }

    /// The current time on the clock of the histories.
    static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Writes the fact to the file before returning. Facts are in the order of their times.
    func note(_ fact: Fact) {
        file.withLock { file in
            let entry = FactEntry(at: Self.now, run: run, fact: fact)
            guard var line = try? JSONEncoder().encode(entry) else {
                fatalError("The fact cannot be written: \(fact)")
            }
            line.append(UInt8(ascii: "\n"))
            let count = unsafe line.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count == line.count else {
                fatalError("The history cannot be written.")
            }
        }
    }
}
