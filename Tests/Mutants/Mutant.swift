import Glibc

/// A fault that is planted into the program, so that the harness which is meant to find it can show that it does.
///
/// The code that asks for one is compiled only when the manifest is read with `TILL_MUTANTS` in the environment; then
/// `TILL_MUTANT` names the fault of a process.
package enum Mutant: String, Sendable, CaseIterable {
    case answerBeforeCommit
    case synchronousNormal
    case synchronousAsOpened
    case noDirectorySync
    case newIdempotencyKey
    case chargeBeforeStored
    case finishAnsweredBeforeCommit
    case noUserCheck
    case unboundedObserver
    case noDuplicateCheck
    case continueAfterSyncError
    case wallClockTimeout
    case datesNotRounded
    case clockAnsweredEarly

    private static let planted = unsafe getenv("TILL_MUTANT").flatMap { unsafe Mutant(rawValue: String(cString: $0)) }

    /// Whether the process has this fault.
    package var isPlanted: Bool {
        self == Self.planted
    }
}
