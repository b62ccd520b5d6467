import TillModel
import TillOutput

/// The error of a failed payment or restore.
struct ErrorLine: OutputLine {
    let error: PaymentError

    /// One sentence: the code's name, the message, whether money moved, and whether a new payment is safe.
    var text: String {
        let message = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
        let reason = error.reason == .unspecified ? "" : ", \(error.reason.title)"
        let provider = error.providerCode.map { ", provider code \($0)" } ?? ""
        let code = "\(error.code) (\(error.code.rawValue)\(reason)\(provider))"
        return "\(code): \(message); \(error.moneyMoved.clause); \(error.retry.clause)."
    }

    var json: JSONObject {
        [
            "code": error.code.rawValue,
            "name": error.code.description,
            "message": error.message,
            "reason": error.reason.name,
            "money_moved": error.moneyMoved.name,
            "retry": error.retry.name,
            "provider_code": error.providerCode,
        ]
    }
}

extension MoneyMoved {
    fileprivate var name: String {
        switch self {
        case .no: "no"
        case .yes: "yes"
        case .unknown: "unknown"
        }
    }

    fileprivate var clause: String {
        switch self {
        case .no: "no money moved"
        case .yes: "money moved"
        case .unknown: "it is unknown whether money moved"
        }
    }
}

extension RetrySafety {
    fileprivate var name: String {
        switch self {
        case .never: "never"
        case .safe: "safe"
        case .afterReconciliation: "after_reconciliation"
        }
    }

    fileprivate var clause: String {
        switch self {
        case .never: "do not retry it"
        case .safe: "a new payment is safe"
        case .afterReconciliation: "retry only after an operator has checked the provider's records"
        }
    }
}
