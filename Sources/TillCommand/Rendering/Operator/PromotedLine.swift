import TillModel

/// A payment that was offered to an application.
struct PromotedLine: OutputLine {
    let payment: Payment
    let application: String
    let account: String

    var text: String {
        "\(application)  \(account)  offered  \(PaymentFields(payment: payment).text)"
    }

    private enum Key: String, CodingKey {
        case application, account, payment
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(application, forKey: .application)
        try container.encode(account, forKey: .account)
        try container.encode(PaymentFields(payment: payment), forKey: .payment)
    }
}
