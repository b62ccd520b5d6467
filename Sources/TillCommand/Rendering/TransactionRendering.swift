import FoundationEssentials
import TillModel
import TillOutput

/// A transaction.
struct TransactionLine: OutputLine {
    let transaction: Transaction

    /// Product and quantity, state, then the other values by name.
    var text: String {
        let product = "\(transaction.payment.productID) ×\(transaction.payment.quantity)"
        let error = transaction.error.map { "  \(ErrorLine(error: $0).text)" } ?? ""
        return "\(product)  \(transaction.state.name)  \(details.text)\(error)"
    }

    private var details: Details {
        let own: Details = [
            "id": transaction.id.text,
            "identifier": transaction.purchase?.transactionIdentifier,
            "revision": "\(transaction.revision)",
            "date": transaction.purchase?.transactionDate.timestamp,
            "original": transaction.original?.purchase.transactionIdentifier,
            "username": transaction.payment.applicationUsername,
            "waits-for": transaction.blocker?.words(separator: "-"),
            "deadline": transaction.deadline?.timestamp,
            "continues": transaction.continues?.text,
            "downloads": downloads,
            "finished": transaction.isFinished ? "yes" : nil,
        ]
        return own + transaction.subscription?.details + transaction.revocation?.details
    }

    /// The numbers of finished and of all downloads.
    private var downloads: String? {
        let count = transaction.downloads.count
        return count == 0 ? nil : "\(transaction.downloads.count { $0.state == .finished })/\(count)"
    }

    var json: JSONObject {
        [
            "id": transaction.id,
            "state": transaction.state.name,
            "product_id": transaction.payment.productID,
            "quantity": transaction.payment.quantity,
            "revision": transaction.revision,
            "is_finished": transaction.isFinished,
            "application_username": transaction.payment.applicationUsername,
            "transaction_identifier": transaction.purchase?.transactionIdentifier,
            "transaction_date": transaction.purchase?.transactionDate,
            "original": transaction.original?.json,
            "error": transaction.error.map { ErrorLine(error: $0).json },
            "blocker": transaction.blocker?.name,
            "deadline": transaction.deadline,
            "continues": transaction.continues,
            "revocation": transaction.revocation?.json,
            "subscription": transaction.subscription?.json,
            "receipt": transaction.receipt,
            "downloads": downloads == nil ? nil : transaction.downloads.map { DownloadLine(download: $0).json },
        ]
    }
}

/// A transaction that was removed from its queue.
struct FinishedLine: OutputLine {
    let id: UUID

    var text: String {
        "\(id.text)  finished"
    }

    var json: JSONObject {
        ["id": id, "is_finished": true]
    }
}

extension OriginalTransaction {
    fileprivate var json: JSONObject {
        [
            "id": id,
            "transaction_identifier": purchase.transactionIdentifier,
            "transaction_date": purchase.transactionDate,
        ]
    }
}

extension Revocation {
    fileprivate var details: Details {
        [
            "revoked": "\(quantity)",
            "revoked-at": date.timestamp,
            "revoked-for": reason.words(separator: "-"),
        ]
    }

    fileprivate var json: JSONObject {
        ["date": date, "reason": reason.name, "quantity": quantity]
    }
}

/// The period of a subscription, within the transaction that paid for it.
extension SubscriptionTerm {
    fileprivate var details: Details {
        [
            "from": startDate.timestamp,
            "to": expirationDate.timestamp,
            "renewal": isRenewal ? "yes" : nil,
            "offer": offer?.text,
            "upgraded": isUpgraded ? "yes" : nil,
            "older-renewals": collapsedCount == 0 ? nil : "\(collapsedCount)",
        ]
    }

    fileprivate var json: JSONObject {
        [
            "group_id": groupID,
            "start_date": startDate,
            "expiration_date": expirationDate,
            "is_renewal": isRenewal,
            "is_upgraded": isUpgraded,
            "collapsed_count": collapsedCount,
            "offer": offer?.json,
        ]
    }
}

/// The offer that set the price of a period.
extension AppliedOffer {
    fileprivate var text: String {
        let id = id.map { ":\($0)" } ?? ""
        return "\(type.words(separator: "-"))\(id)/\(paymentMode.words(separator: "-"))"
    }

    fileprivate var json: JSONObject {
        ["type": type.name, "id": id, "payment_mode": paymentMode.name]
    }
}
