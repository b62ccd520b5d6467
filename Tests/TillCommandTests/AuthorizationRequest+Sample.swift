import FoundationEssentials
import TillModel

extension AuthorizationRequest {
    static func sample(
        id: UUID = UUID(high: 0, low: 1),
        kind: Kind = .purchase,
        locale: String = "en-US"
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            id: id,
            kind: kind,
            application: "org.example.notes",
            account: "uid:1000",
            productID: "coins",
            displayName: "Coins",
            quantity: 2,
            price: Price(minorUnits: 998, currency: "USD"),
            locale: locale,
            createdAt: Date(millisecondsSince1970: 1_772_357_400_250),
            deadline: Date(millisecondsSince1970: 1_772_358_000_250)
        )
    }
}
