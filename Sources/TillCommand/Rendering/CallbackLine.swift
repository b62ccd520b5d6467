import FoundationEssentials
import TillClient

/// One callback of an observer, by the name that StoreKit gives it; for one transaction, where it is about several.
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

    /// The lines of a change; none for the state of the connection.
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
        switch subject {
        case .transaction(let transaction):
            "\(callback.rawValue)  \(TransactionLine(transaction: transaction).text)"
        case .payment(let payment):
            "\(callback.rawValue)  \(PaymentFields(payment: payment).text)"
        case .download(let download):
            "\(callback.rawValue)  \(DownloadLine(download: download).text)"
        case .storefront(let storefront):
            "\(callback.rawValue)  \(storefront.countryCode) (\(storefront.identifier))"
        case .restored(_, let count):
            "\(callback.rawValue)  \(count) restored"
        case .restoreFailed(_, let error):
            "\(callback.rawValue)  \(ErrorLine(error: error).text)"
        case .none:
            callback.rawValue
        }
    }

    private enum Key: String, CodingKey {
        case callback, transaction, payment, download, storefront, error
        case storefrontIdentifier = "storefront_identifier"
        case restoreID = "restore_id"
        case restoredCount = "restored_count"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(callback.rawValue, forKey: .callback)
        switch subject {
        case .transaction(let transaction):
            try container.encode(TransactionLine(transaction: transaction), forKey: .transaction)
        case .payment(let payment):
            try container.encode(PaymentFields(payment: payment), forKey: .payment)
        case .download(let download):
            try container.encode(DownloadLine(download: download), forKey: .download)
        case .storefront(let storefront):
            try container.encode(storefront.countryCode, forKey: .storefront)
            try container.encode(storefront.identifier, forKey: .storefrontIdentifier)
        case .restored(let id, let count):
            try container.encodeIfPresent(id?.text, forKey: .restoreID)
            try container.encode(count, forKey: .restoredCount)
        case .restoreFailed(let id, let error):
            try container.encodeIfPresent(id?.text, forKey: .restoreID)
            try container.encode(ErrorLine(error: error), forKey: .error)
        case .none:
            break
        }
    }
}
