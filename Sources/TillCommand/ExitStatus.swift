package import TillModel

/// What the command's exit status says, by the numbers of BSD's `sysexits.h` where it has one.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    case done = 0
    /// What was asked for has a bad end: a purchase or a restore failed, books disagree, an audit log was changed.
    case failed = 1
    /// The command line is wrong.
    case usage = 64
    /// Something that was named is not there, or is not in a state for it; or a catalogue has errors.
    case badData = 65
    /// The daemon cannot be reached, does not answer in time, or does not serve.
    case unreachable = 69
    /// A fault of the daemon or of this command.
    case fault = 70
    /// The output cannot be written.
    case outputFailed = 74
    /// The daemon does not let this user do it.
    case notPermitted = 77
    /// SIGINT ended what was not done; 128 and the number of the signal, as shells have it.
    case interrupted = 130
    /// Nobody reads the output any more: SIGPIPE.
    case unread = 141
    /// SIGTERM ended it.
    case terminated = 143

    package init(_ code: TillError.Code) {
        switch code {
        case .unavailable, .deadlineExceeded: self = .unreachable
        case .permissionDenied: self = .notPermitted
        case .invalidArgument, .alreadyExists, .notFound, .failedPrecondition: self = .badData
        default: self = .fault
        }
    }

    /// The signal that ended the command, if one did.
    package var signal: Int32? {
        rawValue > 128 ? rawValue - 128 : nil
    }
}
