package import TillModel

/// The reason why the command ends without success: its exit status, and a sentence for people.
package struct CommandFailure: Error, Hashable, Sendable {
    package var status: ExitStatus
    /// Nil if the output already says everything.
    package var message: String?

    package init(_ status: ExitStatus, _ message: String?) {
        self.status = status
        self.message = message
    }

    /// The failure of a call.
    ///
    /// - Parameter socketPath: The socket of the daemon.
    package init(_ error: TillError, socketPath: String) {
        let message =
            switch error.code {
            case .deadlineExceeded:
                "The daemon at \(socketPath) did not answer in time; check that tilld is running, then try again."
            case .resourceExhausted:
                "The daemon reached a limit (\(error.message)); try again later."
            default:
                error.message.asSentence
            }
        self.init(ExitStatus(error.code), message)
    }

    /// The same failure with advice to retry, if the request may have had an effect.
    ///
    /// - Parameters:
    ///   - what: The thing to retry, for example `payment`.
    ///   - option: The option that identifies it.
    func advisingRetry(ofThe what: String, with option: String) -> CommandFailure {
        guard status == .unreachable || status == .fault else {
            return self
        }
        let reason = (message ?? "").dropLast()
        return CommandFailure(status, "\(reason); then retry the same \(what) with \(option).")
    }

    /// The failure of a purchase or of a restore.
    package init(_ error: PaymentError, of what: String) {
        self.init(.failed, "\(what) failed: \(ErrorLine(error: error).text)")
    }
}

/// The exit status of the command. The numbers are those of BSD's `sysexits.h` where it has one.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    case done = 0
    /// A bad result: a purchase or a restore failed, records disagree, or the audit log was changed.
    case failed = 1
    /// The command line is wrong.
    case usage = 64
    /// A named thing does not exist or does not allow the request, or a catalogue has errors.
    case badData = 65
    /// The daemon cannot be reached, does not answer in time, or does not serve.
    case unreachable = 69
    /// A fault of the daemon or of this command.
    case fault = 70
    /// The output cannot be written.
    case outputFailed = 74
    /// The daemon does not permit the request to this user.
    case notPermitted = 77
    /// SIGINT ended the command. As shells do, the status adds 128 to the signal's number.
    case interrupted = 130
    /// SIGPIPE: the reader of the output closed it.
    case unread = 141
    /// SIGTERM ended the command.
    case terminated = 143

    package init(_ code: TillError.Code) {
        switch code {
        case .unavailable, .deadlineExceeded: self = .unreachable
        case .permissionDenied: self = .notPermitted
        case .invalidArgument, .alreadyExists, .notFound, .failedPrecondition: self = .badData
        default: self = .fault
        }
    }

    /// The signal that ended the command, or nil.
    package var signal: Int32? {
        rawValue > 128 ? rawValue - 128 : nil
    }
}

extension String {
    /// The text with a capital letter at its beginning, and a full stop at its end unless it ends as a sentence.
    var asSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }
}
