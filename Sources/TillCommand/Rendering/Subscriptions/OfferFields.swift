import TillModel

/// The offer that set the price of a period.
struct OfferFields: Encodable {
    let offer: AppliedOffer

    var text: String {
        let id = offer.id.map { ":\($0)" } ?? ""
        return "\(offer.type.words(separator: "-"))\(id)/\(offer.paymentMode.words(separator: "-"))"
    }

    private enum Key: String, CodingKey {
        case id, type
        case paymentMode = "payment_mode"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(offer.type.name, forKey: .type)
        try container.encodeIfPresent(offer.id, forKey: .id)
        try container.encode(offer.paymentMode.name, forKey: .paymentMode)
    }
}
