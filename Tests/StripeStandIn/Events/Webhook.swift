import TillCrypto

/// An attempt to deliver an event.
package struct Webhook: Hashable, Sendable {
    /// How long Stripe tries to deliver an event.
    static let retryDuration = 3 * 86_400

    var delivery: String
    var url: String
    var signature: String
    var body: String

    /// Returns the pause after an attempt, which grows from five minutes to twelve hours.
    static func pause(afterAttempt number: Int) -> Int {
        let pauses = [300, 1_800, 7_200, 18_000, 36_000]
        return number <= pauses.count ? pauses[max(number, 1) - 1] : 43_200
    }

    /// Returns the header `Stripe-Signature` for a body: one signature for each secret.
    package static func signature(_ body: String, secrets: [String], at time: Int) -> String {
        let signed = Array("\(time).\(body)".utf8)
        let parts = secrets.map { "v1=" + hex(authenticationCode(signed, key: Array($0.utf8))) }
        return (["t=\(time)"] + parts).joined(separator: ",")
    }

    /// HMAC-SHA256 (RFC 2104).
    private static func authenticationCode(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? SHA256Digest(of: key).bytes : key
        let padded = short + [UInt8](repeating: 0, count: 64 - short.count)
        let inner = SHA256Digest(of: padded.map { $0 ^ 0x36 } + message).bytes
        return SHA256Digest(of: padded.map { $0 ^ 0x5c } + inner).bytes
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension World {
    /// Returns the deliveries that are due, oldest first; each attempt is counted at once.
    mutating func startDeliveries() -> [Webhook] {
        var due: [Webhook] = []
        for var delivery in all(.delivery)
        where delivery.status == "pending" && delivery.number("next_at") <= now {
            guard delivery.number("until") >= now, let event = find(.event, delivery.text("event")),
                let endpoint = settings.webhooks.first(where: { $0.url == delivery.text("url") })
            else {
                delivery["status"] = "abandoned"
                save(delivery)
                continue
            }
            let body = render(event).text
            let number = delivery.number("attempts") + 1
            delivery["attempts"] = .int(number)
            delivery["next_at"] = .int(now + Webhook.pause(afterAttempt: number))
            save(delivery)
            due.append(
                Webhook(
                    delivery: delivery.id,
                    url: endpoint.url,
                    signature: Webhook.signature(body, secrets: endpoint.secrets, at: now),
                    body: body
                )
            )
        }
        return due
    }

    /// Notes the answer to a delivery; a status of 2xx ends it.
    mutating func finishDelivery(_ id: String, _ status: Int?) {
        guard var delivery = find(.delivery, id), let status, (200..<300).contains(status) else {
            return
        }
        delivery["status"] = "delivered"
        save(delivery)
        if var event = find(.event, delivery.text("event")) {
            event["pending_webhooks"] = .int(max(0, event.number("pending_webhooks") - 1))
            save(event)
        }
    }
}
