package import TillModel

/// Why the command ends without success: its exit status, and a sentence for people.
package struct CommandFailure: Error, Hashable, Sendable {
    package var status: ExitStatus
    /// Nil when everything was said already.
    package var message: String?

    package init(_ status: ExitStatus, _ message: String?) {
        self.status = status
        self.message = message
    }

    /// - Parameter socketPath: Where the daemon was looked for.
    package init(_ error: TillError, socketPath: String) {
        let message =
            switch error.code {
            case .deadlineExceeded:
                "The daemon at \(socketPath) did not answer in time; see whether tilld is well, then try again."
            case .resourceExhausted:
                "The daemon is at a limit (\(error.message)); try again later."
            default:
                error.message.asSentence
            }
        self.init(ExitStatus(error.code), message)
    }

    /// The same, with how to repeat what may have happened.
    func orRepeat(_ what: String, with option: String) -> CommandFailure {
        guard status == .unreachable || status == .fault else {
            return self
        }
        let reason = (message ?? "").dropLast()
        return CommandFailure(status, "\(reason); then repeat this very \(what) with \(option).")
    }

    /// The failure of a purchase or of a restore.
    package init(_ error: PaymentError, of what: String) {
        self.init(.failed, "\(what) failed: \(ErrorLine(error: error).text)")
    }
}

extension String {
    /// Begun with a capital letter and ended with a full stop.
    var asSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }

    /// Without characters that could drive a terminal or reorder a line: the text comes from others.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.affectsFollowingText ? "\u{FFFD}" : $0 }))
    }
}
