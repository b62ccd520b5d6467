import Glibc

/// A fault that is planted into the program, to prove that its harness finds it.
///
/// The code for faults is compiled only if the environment of the build has `TILL_MUTANTS`. `TILL_MUTANT` selects the
/// fault of a process.
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
    case referenceNotStored
    case newReferenceOnRetry
    case serverErrorIsDecline
    case declineBeforeCancelling
    case missingIsNotCharged
    case unsignedWebhook
    case finishNotShared
    case commitsUnfenced
    case lostCommitRepeated
    case answerBeforeFlush
    case readBeforeFlush
    case lockAfterRead
    case olderSignalWins
    case othersSettingsIgnored
    case recordNotLocked

    private static let planted = unsafe getenv("TILL_MUTANT").flatMap { unsafe Mutant(rawValue: String(cString: $0)) }

    /// Whether the process has this fault.
    package var isPlanted: Bool {
        self == Self.planted
    }
}
