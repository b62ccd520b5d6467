import ArgumentParser
import Glibc
import TillDaemon
import TillModel

/// An error that ends the program with a message on standard error and an exit status.
struct Failure: Error {
    var status: Int32
    var message: String

    init(status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The failure of a start, of a check or of a reconciliation.
    init(_ error: TillError) {
        self.init(status: Self.status(error.code), error.sentence)
    }

    /// The failure of a daemon that served.
    init(stopped error: any Error) {
        let sentence =
            (error as? TillError)?.sentence ?? (error as? WatchedFile.Gone)?.description
            ?? "The ledger could not be used: \(error)"
        self.init(status: EX_IOERR, "The daemon stopped. \(sentence)")
    }

    /// The failure of an invalid configuration.
    init(configuration error: TillError) {
        self.init(status: EX_CONFIG, error.sentence)
    }

    /// The failure of writing to standard output.
    init(output error: TillError) {
        self.init(status: EX_IOERR, error.sentence)
    }

    private static func status(_ code: TillError.Code) -> Int32 {
        switch code {
        case .invalidArgument: EX_DATAERR
        case .dataLoss: EX_IOERR
        case .unavailable: EX_TEMPFAIL
        default: EX_CANTCREAT
        }
    }
}

extension TillError {
    /// The message with its cause, for the operator.
    fileprivate var sentence: String {
        message + (cause.map { " (\($0))" } ?? "")
    }
}
