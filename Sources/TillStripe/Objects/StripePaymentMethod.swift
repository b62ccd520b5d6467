import TillModel

/// A card or another way to pay (https://docs.stripe.com/api/payment_methods/object).
struct StripePaymentMethod: Hashable, Sendable, Decodable {
    /// What Stripe tells of a kind's own properties, as far as the kind has them.
    struct Details: Hashable, Sendable, Decodable {
        var brand: String?
        var lastDigits: String?
        var expiryMonth: Int?
        var expiryYear: Int?

        private enum CodingKeys: String, CodingKey {
            case brand
            case lastDigits = "last4"
            case expiryMonth = "exp_month"
            case expiryYear = "exp_year"
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    var id: String
    var type: String
    /// Nil for one that no customer keeps.
    var customer: String?
    var details: Details?

    /// The details are in a member that is named after the type.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        id = try members.decode(String.self, forKey: Key(stringValue: "id"))
        type = try members.decode(String.self, forKey: Key(stringValue: "type"))
        customer = try members.decodeIfPresent(String.self, forKey: Key(stringValue: "customer"))
        details = try members.decodeIfPresent(Details.self, forKey: Key(stringValue: type))
    }

    /// The method as its payer sees it.
    ///
    /// - Parameter chosen: The name of the one that pays for renewals.
    func method(chosen: String?) -> PaymentMethod {
        PaymentMethod(
            id: id,
            type: type,
            brand: details?.brand,
            lastDigits: details?.lastDigits,
            expirationMonth: details?.expirationMonth,
            isDefault: id == chosen
        )
    }
}

extension StripePaymentMethod.Details {
    fileprivate var expirationMonth: String? {
        guard let month = expiryMonth, let year = expiryYear, (1...12).contains(month), (1000...9999).contains(year)
        else {
            return nil
        }
        return "\(year)-\(month < 10 ? "0" : "")\(month)"
    }
}
