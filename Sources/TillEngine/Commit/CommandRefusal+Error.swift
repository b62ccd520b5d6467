import TillMetrics
import TillModel

/// What a refused command is answered.
extension CommandRefusal {
    var error: TillError {
        switch self {
        case .stopped:
            TillError(.unavailable, "The daemon is stopping; try again when it is running.")
        case .waitingMaximum:
            TillError(.resourceExhausted, "Too many commands are waiting to be stored; try again later.")
        case .lateFlush:
            TillError(.resourceExhausted, "The ledger stores commands too slowly at the moment; try again later.")
        }
    }
}
