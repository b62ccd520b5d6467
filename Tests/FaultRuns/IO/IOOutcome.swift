import Glibc
import ProcessTesting

/// What became of a daemon whose system call failed.
package enum IOOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The call was never made.
    case untouched
    /// It served until it was told to stop, and ended well.
    case wentOn
    /// It ended by itself, and said why.
    case stopped(Int32)
    /// It ended by itself without a sentence.
    case silent(Int32)
    case crashed(Int32)
    /// It did not end when it was told to.
    case hung

    init(_ exit: ChildProcess.Exit, isTouched: Bool, wasKilled: Bool, says sentence: Bool) {
        switch exit {
        case _ where wasKilled: self = .hung
        case .status(0): self = isTouched ? .wentOn : .untouched
        case .status(let status): self = sentence ? .stopped(status) : .silent(status)
        case .signal(let number): self = .crashed(number)
        }
    }

    package var description: String {
        switch self {
        case .untouched: "not reached"
        case .wentOn: "went on"
        case .stopped(let status): "stopped with \(status)"
        case .silent(let status): "ended with \(status) and no word"
        case .crashed(let number): "ended by signal \(number)"
        case .hung: "hung"
        }
    }

    /// What it must not be after the fault; nil when it may.
    ///
    /// - Parameters:
    ///   - isOfDirectory: Whether nothing but the flush of a directory failed. SQLite goes on then, for it made the name of
    ///     a log certain only in case that is needed; the daemon flushes the directory itself before it serves.
    ///   - files: The names of the files whose calls failed.
    ///   - isOfThreads: Whether Dispatch was kept from looking at the process's threads, which it cannot do without.
    func objection(to fault: IOFault, isOfDirectory: Bool, files: Set<String>, isOfThreads: Bool) -> String? {
        switch self {
        case .untouched, .stopped: nil
        case .wentOn: fault.isFatal(toFiles: files) && !isOfDirectory ? "it went on" : nil
        case .silent, .crashed: IOFault.mayCrash.contains(fault.call) || isOfThreads ? nil : description
        case .hung: description
        }
    }
}
