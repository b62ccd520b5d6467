import StripeStandIn
import TillHTTP
import TillStripe

/// An answer of the API, whose fields are found by paths such as `error.payment_intent.status` or `data.0.id`.
struct APIAnswer: Sendable {
    /// The call without its ids.
    var call: String
    var status: Int
    var isReplayed: Bool
    var version: String?
    var json: JSON

    init(_ call: StripeCall, _ answer: StripeAnswer) {
        self.call = call.endpoint
        status = answer.status
        isReplayed = answer.headers.first(name: "idempotent-replayed") == "true"
        version = answer.headers.first(name: "stripe-version")
        json = JSON(text: answer.body) ?? .null
    }

    var id: String { json["id"].string ?? "" }

    /// The ids of a list.
    var ids: [String] { json["data"].array.compactMap { $0["id"].string } }

    subscript(path: String) -> JSON {
        path.split(separator: ".").reduce(json) { value, name in
            guard let index = Int(name) else {
                return value[String(name)]
            }
            return value.array.indices.contains(index) ? value.array[index] : .null
        }
    }

    /// The status with the error, if there is one.
    var summary: String {
        guard !json["error"].isNull else {
            return "\(status)"
        }
        let details = ["type", "code", "decline_code", "param", "message"].compactMap { json["error"][$0].string }
        return "\(status) (\(details.joined(separator: ", ")))"
    }
}
