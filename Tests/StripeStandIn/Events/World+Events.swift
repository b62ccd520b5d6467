extension World {
    static let eventAge = 30 * 86_400

    /// Reports a change of an object as the settings say: later, twice, in another order or not at all.
    mutating func emit(_ type: String, _ object: Fields) {
        guard !settings.events.drops(type) else {
            return
        }
        for _ in 0..<(settings.events.areDuplicated ? 2 : 1) {
            makeEvent(type, object)
            if settings.events.areDisordered {
                swapNewest(.event)
            }
        }
    }

    private mutating func makeEvent(_ type: String, _ object: Fields) {
        let visible = now + settings.events.delay
        let event = make(
            .event,
            "evt_1",
            [
                "api_version": "2025-10-29.clover", "data": ["object": render(object)],
                "livemode": object["livemode"] ?? false, "pending_webhooks": .int(settings.webhooks.count),
                "request": ["id": JSON(origin.requestID), "idempotency_key": JSON(origin.key)],
                "type": .string(type), "_visible_at": .int(visible),
            ]
        )
        for endpoint in settings.webhooks {
            _ = make(
                .delivery,
                "wd_1",
                [
                    "event": .string(event.id), "url": .string(endpoint.url), "attempts": 0, "next_at": .int(visible),
                    "until": .int(now + Webhook.retryDuration), "status": "pending",
                ]
            )
        }
    }

    private func isVisible(_ event: Fields) -> Bool {
        event.number("_visible_at") <= now && event.number("created") > now - Self.eventAge
    }

    func event(_ call: Call) throws(StripeFailure) -> JSON {
        let event = try require(.event, call.id, param: "id")
        guard isVisible(event) else {
            throw .missing("event", call.id, param: "id")
        }
        return render(event)
    }

    func listEvents(_ call: Call) throws(StripeFailure) -> JSON {
        let types = Set(call.fields.list("types") + [call.fields.string("type")].compactMap(\.self))
        return try list(.event, call) { event in
            isVisible(event) && (types.isEmpty || types.contains(where: { Self.isType(event.text("type"), $0) }))
        }
    }

    /// Whether a type is the one asked for; `charge.*` asks for all of `charge`.
    private static func isType(_ type: String, _ asked: String) -> Bool {
        asked.hasSuffix("*") ? type.hasPrefix(asked.dropLast()) : type == asked
    }
}
