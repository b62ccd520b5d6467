import Glibc
import ProcessTesting

/// The outcome of a daemon whose system call failed.
package enum IOOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The call was never made.
    case untouched
    /// The daemon served until it was asked to stop, and exited successfully.
    case continued
    /// The daemon exited by itself with an error message.
    case stopped(Int32)
    /// The daemon exited by itself without an error message.
    case silent(Int32)
    case crashed(Int32)
    /// The daemon did not end when it was asked to.
    case hung

    init(_ exit: ChildProcess.Exit, isTouched: Bool, wasKilled: Bool, says sentence: Bool) {
        switch exit {
        case _ where wasKilled: self = .hung
        case .status(0): self = isTouched ? .continued : .untouched
        case .status(let status): self = sentence ? .stopped(status) : .silent(status)
        case .signal(let number): self = .crashed(number)
        }
    }

    package var description: String {
        switch self {
        case .untouched: "not reached"
        case .continued: "continued"
        case .stopped(let status): "stopped with \(status)"
        case .silent(let status): "ended with \(status) without a message"
        case .crashed(let number): "ended by signal \(number)"
        case .hung: "hung"
        }
    }

    /// Describes why the outcome is not allowed after the fault; nil if it is allowed.
    ///
    /// - Parameters:
    ///   - isOfDirectory: Whether only the flush of a directory failed. SQLite continues then, because it flushes the
    ///     name of a log only as a precaution. The daemon flushes the directory itself before it serves.
    ///   - files: The names of the files whose calls failed.
    ///   - isOfThreads: Whether Dispatch could not inspect the process's threads, which it requires.
    func objection(to fault: IOFault, isOfDirectory: Bool, files: Set<String>, isOfThreads: Bool) -> String? {
        switch self {
        case .untouched, .stopped: nil
        case .continued: fault.isFatal(toFiles: files) && !isOfDirectory ? "it continued" : nil
        case .silent, .crashed: IOFault.mayCrash.contains(fault.call) || isOfThreads ? nil : description
        case .hung: description
        }
    }
}
