import TillModel

/// Why a payment or a restore failed.
struct ErrorLine: OutputLine {
    let error: PaymentError

    /// The code's name, the message, whether money moved and whether a new payment is safe: one sentence.
    var text: String {
        let reason = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
        let finer = error.reason == .unspecified ? "" : ", \(error.reason.title)"
        let provider = error.providerCode.map { ", provider's code \($0)" } ?? ""
        let code = "\(error.code) (\(error.code.rawValue)\(finer)\(provider))"
        return "\(code): \(reason); \(error.moneyMoved.clause); \(error.retry.clause)."
    }

    private enum Key: String, CodingKey {
        case code, name, message, reason, retry
        case moneyMoved = "money_moved"
        case providerCode = "provider_code"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(error.code.rawValue, forKey: .code)
        try container.encode(error.code.description, forKey: .name)
        try container.encode(error.message, forKey: .message)
        try container.encode(error.reason.name, forKey: .reason)
        try container.encode(error.moneyMoved.name, forKey: .moneyMoved)
        try container.encode(error.retry.name, forKey: .retry)
        try container.encodeIfPresent(error.providerCode, forKey: .providerCode)
    }
}

extension MoneyMoved {
    var name: String {
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
        case .unknown: "whether money moved is not known"
        }
    }
}

extension RetrySafety {
    var name: String {
        switch self {
        case .never: "never"
        case .safe: "safe"
        case .afterReconciliation: "after_reconciliation"
        }
    }

    fileprivate var clause: String {
        switch self {
        case .never: "do not try it again"
        case .safe: "a new payment is safe"
        case .afterReconciliation: "try it again only after the operator has found out what the provider did"
        }
    }
}
