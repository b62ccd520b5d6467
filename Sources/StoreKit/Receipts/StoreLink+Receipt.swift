import Foundation
import TillClient
import TillModel

/// The application's receipt file.
extension DaemonConnection {
    /// Fetches the current receipt and writes it to its file.
    func refreshReceipt() async throws(TillError) {
        guard let receipts else {
            throw TillError(
                .failedPrecondition,
                "The receipt has no path: set HOME, XDG_DATA_HOME or TILL_RECEIPT."
            )
        }
        let number = receipts.begin()
        let receipt = try await client.applicationReceipt()
        do {
            try receipts.write(receipt, from: number)
        } catch {
            throw TillError(.failedPrecondition, "The receipt cannot be written to \(receipts.path).", cause: error)
        }
    }

    /// Refreshes the receipt before a change to it is reported. While the daemon is unavailable, the report waits too.
    func updateReceipt() async {
        while !Task.isCancelled {
            do throws(TillError) {
                return try await refreshReceipt()
            } catch {
                switch error.code {
                case .unavailable, .deadlineExceeded, .resourceExhausted:
                    try? await Task.sleep(for: Self.pause)
                case .cancelled:
                    // The connection has ended; the queue already follows another store.
                    return
                default:
                    return warnOfReceipt(error)
                }
            }
        }
    }

    /// Warns only once, because every further purchase would cause the same warning.
    private func warnOfReceipt(_ error: TillError) {
        let isFirst = withState { state in
            defer { state.hasWarnedOfReceipt = true }
            return !state.hasWarnedOfReceipt
        }
        if isFirst {
            StandardError.write("The receipt is not up to date: \(error.message)")
        }
    }
}
