import Foundation
import TillClient
import TillModel

/// The application's receipt on this machine.
extension StoreLink {
    /// Gets the receipt as it is now, and puts it into its file.
    func refreshReceipt() async throws(TillError) {
        guard let receipts else {
            throw TillError(
                .failedPrecondition,
                "There is no place for the receipt: set HOME, XDG_DATA_HOME or TILL_RECEIPT."
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

    /// Refreshes the receipt before something is told that changed it. While the daemon is away, so is what is to be told.
    func updateReceipt() async {
        while !Task.isCancelled {
            do throws(TillError) {
                return try await refreshReceipt()
            } catch {
                switch error.code {
                case .unavailable, .deadlineExceeded, .resourceExhausted:
                    try? await Task.sleep(for: Self.pause)
                case .cancelled:
                    // The link has ended; its queue follows another store by now.
                    return
                default:
                    return warnOfReceipt(error)
                }
            }
        }
    }

    /// Once, for each further purchase would have the same to say.
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
