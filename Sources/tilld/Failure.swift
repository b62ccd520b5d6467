import ArgumentParser
import Glibc
import TillDaemon
import TillModel

/// Ends the program with a sentence on stderr and a status.
struct Failure: Error {
    var status: Int32
    var message: String

    init(status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What kept the daemon from starting, or its books from being compared.
    init(_ error: TillError) {
        self.init(status: Self.status(error.code), error.sentence)
    }

    /// What ended a daemon that served.
    init(stopped error: any Error) {
        let sentence =
            (error as? TillError)?.sentence ?? (error as? WatchedFile.Gone)?.description
            ?? "The ledger could not be used: \(error)"
        self.init(status: EX_IOERR, "The daemon stopped. \(sentence)")
    }

    /// A configuration that cannot be used.
    init(configuration error: TillError) {
        self.init(status: EX_CONFIG, error.sentence)
    }

    /// What was to be printed cannot be.
    init(output error: TillError) {
        self.init(status: EX_IOERR, error.sentence)
    }

    private static func status(_ code: TillError.Code) -> Int32 {
        switch code {
        case .invalidArgument: EX_DATAERR
        case .dataLoss: EX_IOERR
        default: EX_CANTCREAT
        }
    }
}

extension TillError {
    /// The message, and the cause for the operator.
    fileprivate var sentence: String {
        message + (cause.map { " (\($0))" } ?? "")
    }
}
