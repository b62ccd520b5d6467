/// Who pays (https://docs.stripe.com/api/customers/object).
struct StripeCustomer: Hashable, Sendable, Decodable {
    private struct InvoiceSettings: Hashable, Sendable, Decodable {
        var defaultMethod: String?

        private enum CodingKeys: String, CodingKey {
            case defaultMethod = "default_payment_method"
        }
    }

    var id: String
    /// Whether the merchant has deleted the customer, of whom Stripe keeps the name alone.
    private var deleted: Bool?
    private var invoiceSettings: InvoiceSettings?

    private enum CodingKeys: String, CodingKey {
        case id, deleted
        case invoiceSettings = "invoice_settings"
    }

    var isDeleted: Bool {
        deleted == true
    }

    /// The payment method that the customer chose for later payments.
    var defaultMethod: String? {
        invoiceSettings?.defaultMethod
    }
}
