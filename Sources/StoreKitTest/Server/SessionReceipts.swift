import Foundation
import Logging
import TillModel
import TillReceipts

/// Signs receipts for all sessions of the process as Xcode does, with certificates that no application needs to trust.
enum SessionReceipts {
    private static let made = Result { () throws(TillError) in
        try ReceiptAuthority(
            environment: .xcode,
            date: Date(),
            logger: Logger(label: "StoreKitTest") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    static func authority() throws(SKTestError) -> ReceiptAuthority {
        do {
            return try made.get()
        } catch {
            throw SKTestError(error)
        }
    }
}
