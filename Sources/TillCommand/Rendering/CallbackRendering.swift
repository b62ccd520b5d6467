import FoundationEssentials
import TillClient
import TillOutput

/// The callbacks of `SKPaymentTransactionObserver` by their names
/// (https://developer.apple.com/documentation/storekit/skpaymenttransactionobserver), and one of Till's own.
enum Callback: String, Hashable, Sendable, CaseIterable {
    case updatedTransactions = "paymentQueue(_:updatedTransactions:)"
    case removedTransactions = "paymentQueue(_:removedTransactions:)"
    case revokedEntitlements = "paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)"
    case storePaymentRequested = "paymentQueue(_:shouldAddStorePayment:for:)"
    case storefrontChanged = "paymentQueueDidChangeStorefront(_:)"
    case updatedDownloads = "paymentQueue(_:updatedDownloads:)"
    case restoreFinished = "paymentQueueRestoreCompletedTransactionsFinished(_:)"
    case restoreFailed = "paymentQueue(_:restoreCompletedTransactionsFailedWithError:)"
    /// Till's own callback: everything unfinished was delivered.
    case initialDeliveryEnded = "paymentQueueInitialDeliveryEnded(_:)"
}

/// A callback of an observer. A callback for several transactions or downloads has a line for each.
struct CallbackLine: OutputLine {
    enum Subject: Hashable, Sendable {
        case transaction(Transaction)
        case payment(Payment)
        case download(Download)
        case storefront(Storefront)
        case restored(id: UUID?, count: Int)
        case restoreFailed(id: UUID?, PaymentError)
        case none
    }

    let callback: Callback
    let subject: Subject

    /// The lines of a change. A change of the connection has none.
    static func lines(_ change: Change) -> [CallbackLine] {
        switch change {
        case .updated(let transactions):
            transactions.map { CallbackLine(callback: .updatedTransactions, subject: .transaction($0)) }
        case .removed(let transactions):
            transactions.map { CallbackLine(callback: .removedTransactions, subject: .transaction($0)) }
        case .revoked(let transactions):
            transactions.map { CallbackLine(callback: .revokedEntitlements, subject: .transaction($0)) }
        case .storePaymentRequested(let payment):
            [CallbackLine(callback: .storePaymentRequested, subject: .payment(payment))]
        case .storefrontChanged(let storefront):
            [CallbackLine(callback: .storefrontChanged, subject: .storefront(storefront))]
        case .downloadsUpdated(let downloads):
            downloads.map { CallbackLine(callback: .updatedDownloads, subject: .download($0)) }
        case .restoreFinished(let id, let count):
            [CallbackLine(callback: .restoreFinished, subject: .restored(id: id, count: count))]
        case .restoreFailed(let id, let error):
            [CallbackLine(callback: .restoreFailed, subject: .restoreFailed(id: id, error))]
        case .initialDeliveryEnded:
            [CallbackLine(callback: .initialDeliveryEnded, subject: .none)]
        case .connection:
            []
        }
    }

    var text: String {
        let details: String? =
            switch subject {
            case .transaction(let transaction): TransactionLine(transaction: transaction).text
            case .payment(let payment): PaymentLine(payment: payment).text
            case .download(let download): DownloadLine(download: download).text
            case .storefront(let storefront): "\(storefront.countryCode) (\(storefront.identifier))"
            case .restored(_, let count): "\(count) restored"
            case .restoreFailed(_, let error): ErrorLine(error: error).text
            case .none: nil
            }
        return [callback.rawValue, details].compactMap(\.self).joined(separator: "  ")
    }

    var json: JSONObject {
        let name = callback.rawValue
        return switch subject {
        case .transaction(let transaction):
            ["callback": name, "transaction": TransactionLine(transaction: transaction).json]
        case .payment(let payment):
            ["callback": name, "payment": PaymentLine(payment: payment).json]
        case .download(let download):
            ["callback": name, "download": DownloadLine(download: download).json]
        case .storefront(let storefront):
            ["callback": name, "storefront": storefront.countryCode, "storefront_identifier": storefront.identifier]
        case .restored(let id, let count):
            ["callback": name, "restore_id": id, "restored_count": count]
        case .restoreFailed(let id, let error):
            ["callback": name, "restore_id": id, "error": ErrorLine(error: error).json]
        case .none:
            ["callback": name]
        }
    }
}

/// A payment that was not added to the queue.
struct PaymentLine: OutputLine {
    let payment: Payment

    var text: String {
        let username = payment.applicationUsername.map { " username=\($0)" } ?? ""
        return "\(payment.productID) ×\(payment.quantity)  id=\(payment.id.text)\(username)"
    }

    var json: JSONObject {
        [
            "id": payment.id,
            "product_id": payment.productID,
            "quantity": payment.quantity,
            "application_username": payment.applicationUsername,
        ]
    }
}

/// The progress of a restore.
struct RestoreLine: OutputLine {
    let id: UUID
    let state: RestoreState
    let restoredCount: Int
    let totalCount: Int
    var error: PaymentError?

    var text: String {
        let error = error.map { "  \(ErrorLine(error: $0).text)" } ?? ""
        return "\(id.text)  \(state.title)  \(restoredCount) of \(totalCount)\(error)"
    }

    var json: JSONObject {
        [
            "id": id,
            "state": state.name,
            "restored_count": restoredCount,
            "total_count": totalCount,
            "error": error.map { ErrorLine(error: $0).json },
        ]
    }
}

extension RestoreLine {
    init(_ progress: RestoreProgress) {
        self.init(
            id: progress.id,
            state: progress.state,
            restoredCount: progress.restoredCount,
            totalCount: progress.totalCount,
            error: progress.error
        )
    }
}
