import FoundationEssentials
import TillModel

/// The period of a subscription, within the transaction that paid for it.
struct TermFields: Encodable {
    let term: SubscriptionTerm

    var details: [(name: String, value: String)] {
        let optional: [(name: String, value: String?)] = [
            ("from", term.startDate.timestamp),
            ("to", term.expirationDate.timestamp),
            ("renewal", term.isRenewal ? "yes" : nil),
            ("offer", term.offer.map { OfferFields(offer: $0).text }),
            ("upgraded", term.isUpgraded ? "yes" : nil),
            ("stands-for-older", term.collapsedCount == 0 ? nil : "\(term.collapsedCount)"),
        ]
        return optional.compactMap { detail in detail.value.map { (detail.name, $0) } }
    }

    private enum Key: String, CodingKey {
        case offer
        case groupID = "group_id"
        case startDate = "start_date"
        case expirationDate = "expiration_date"
        case isRenewal = "is_renewal"
        case isUpgraded = "is_upgraded"
        case collapsedCount = "collapsed_count"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(term.groupID, forKey: .groupID)
        try container.encode(term.startDate.timestamp, forKey: .startDate)
        try container.encode(term.expirationDate.timestamp, forKey: .expirationDate)
        try container.encode(term.isRenewal, forKey: .isRenewal)
        try container.encode(term.isUpgraded, forKey: .isUpgraded)
        try container.encode(term.collapsedCount, forKey: .collapsedCount)
        try container.encodeIfPresent(term.offer.map(OfferFields.init), forKey: .offer)
    }
}
