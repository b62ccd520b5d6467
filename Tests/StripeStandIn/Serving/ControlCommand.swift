import NIOCore

extension StripeControl {
    /// Answers `POST /control/<command>` with parameters in JSON or in a form.
    ///
    /// | command | parameters |
    /// |---|---|
    /// | `now`, `movements`, `requests`, `clear_faults`, `held`, `release`, `deliver_webhooks` | |
    /// | `advance` | `seconds` |
    /// | `object` | `id` |
    /// | `fault` | `kind`, `moment`, `seconds`, `method`, `path`, `skip`, `count`, `should_retry`, `retry_after` |
    /// | `pay` | `session`, `payment_method` |
    /// | `leave` | `session` |
    /// | `authenticate`, `complete_payment` | `intent`, `succeeds` |
    /// | `refund` | `intent`, `amount` |
    /// | `settle_refund` | `refund`, `status` |
    /// | `open_dispute` | `intent`, `reason`, `inquiry` |
    /// | `escalate_dispute` | `dispute` |
    /// | `close_dispute` | `dispute`, `status` |
    /// | `warn_of_fraud` | `intent` |
    /// | `update_method` | `payment_method` |
    /// | `overwrite` | `id`, `field`, `value` |
    /// | `add_key` | `key`, `permissions` (separated by commas), `account` |
    /// | `revoke_key` | `key` |
    /// | `events` | `delay`, `duplicated`, `disordered`, `dropped` (types, separated by commas) |
    /// | `settings` | `processing_seconds`, `processing_succeeds`, `refund_seconds`, `search_lag`, `rate_limit`, `key_seconds` |
    /// | `open_sessions` | |
    /// | `webhook` | `url`, `secrets` (separated by commas) |
    ///
    /// Kinds of faults are `hang`, `reset`, `kill`, `500` and `502`, each with a `moment` of `before` or `after`;
    /// `truncated`; `late` and `slow`, which without `seconds` last until `release`; `rate_limit`, `lock_timeout`,
    /// `key_in_use` and `none`.
    func answer(_ request: StripeRequest, on loop: any EventLoop) -> EventLoopFuture<StripeAnswer> {
        let name = String(request.path.dropFirst("/control/".count))
        let parameters = ControlParameters(request)
        if name == "deliver_webhooks" {
            return startDeliveries(on: loop).map { statuses in
                StripeAnswer(200, ["statuses": .array(statuses.map { JSON($0) })])
            }
        }
        do throws(ControlError) {
            guard let answer = try run(name, parameters) else {
                throw ControlError("There is no command \(name).")
            }
            return loop.makeSucceededFuture(StripeAnswer(200, answer))
        } catch {
            return loop.makeSucceededFuture(StripeAnswer(400, ["error": .string(error.description)]))
        }
    }

    private func run(_ name: String, _ parameters: ControlParameters) throws(ControlError) -> JSON? {
        if let answer = clockCommand(name, parameters) {
            return answer
        }
        if let answer = try payerCommand(name, parameters) {
            return answer
        }
        if let answer = try bankCommand(name, parameters) {
            return answer
        }
        return try settingCommand(name, parameters)
    }

    private func clockCommand(_ name: String, _ parameters: ControlParameters) -> JSON? {
        switch name {
        case "advance":
            advance(by: .seconds(parameters["seconds"].int ?? 0))
            return ["now": .int(now)]
        case "now": return ["now": .int(now)]
        case "movements": return .array(movements().map(\.json))
        case "requests": return .array(requests().map(\.json))
        case "open_sessions": return .array(openSessions().map(JSON.string))
        case "object": return object(parameters.text("id")) ?? .null
        default: return nil
        }
    }

    private func payerCommand(_ name: String, _ parameters: ControlParameters) throws(ControlError) -> JSON? {
        switch name {
        case "pay":
            return pay(parameters.text("session"), with: parameters["payment_method"].string ?? "pm_card_visa").json
        case "leave":
            return ["url": .string(try leave(parameters.text("session")))]
        case "authenticate":
            return authenticate(parameters.text("intent"), succeeds: parameters["succeeds"].bool ?? true).json
        default: return nil
        }
    }

    private func bankCommand(_ name: String, _ parameters: ControlParameters) throws(ControlError) -> JSON? {
        let intent = parameters.text("intent")
        switch name {
        case "complete_payment":
            try completePayment(intent, succeeds: parameters["succeeds"].bool ?? true)
        case "refund":
            return ["id": .string(try refundInDashboard(intent, amount: parameters["amount"].int))]
        case "settle_refund":
            try settleRefund(parameters.text("refund"), parameters.text("status"))
        case "open_dispute":
            let reason = parameters["reason"].string ?? "fraudulent"
            let isInquiry = parameters["inquiry"].bool ?? false
            return ["id": .string(try openDispute(intent, reason: reason, isInquiry: isInquiry))]
        case "escalate_dispute":
            try escalateDispute(parameters.text("dispute"))
        case "warn_of_fraud":
            return ["id": .string(try warnOfFraud(intent))]
        case "update_method":
            try updateMethod(parameters.text("payment_method"))
        case "overwrite":
            try overwrite(parameters.text("id"), parameters.text("field"), parameters["value"])
        case "close_dispute":
            try closeDispute(parameters.text("dispute"), parameters.text("status"))
        default: return nil
        }
        return [:]
    }

    private func settingCommand(_ name: String, _ parameters: ControlParameters) throws(ControlError) -> JSON? {
        switch name {
        case "fault": addFault(try parameters.fault())
        case "clear_faults": clearFaults()
        case "release": releaseHeld()
        case "held": return ["count": .int(heldCount)]
        case "add_key":
            let permissions = parameters["permissions"].string.map { Set($0.split(separator: ",").map(String.init)) }
            addKey(parameters.text("key"), permissions: permissions, account: parameters["account"].string)
        case "revoke_key": revokeKey(parameters.text("key"))
        case "events": change { parameters.apply(to: &$0.events) }
        case "settings": change { parameters.apply(to: &$0) }
        case "webhook":
            let secrets = parameters.text("secrets").split(separator: ",").map(String.init)
            let endpoint = Settings.Endpoint(url: parameters.text("url"), secrets: secrets)
            change { settings in
                settings.webhooks.removeAll { $0.url == endpoint.url }
                settings.webhooks.append(endpoint)
            }
        default: return nil
        }
        return [:]
    }
}

/// The parameters of a command.
private struct ControlParameters {
    private var fields: Fields

    init(_ request: StripeRequest) {
        fields = request.fields.values.mapValues(JSON.string)
        fields.merge(JSON(text: request.body)?.fields ?? [:]) { _, last in last }
    }

    subscript(name: String) -> JSON { fields[name] ?? .null }

    func text(_ name: String) -> String { fields.text(name) }

    func apply(to events: inout Settings.Events) {
        events.delay = self["delay"].int ?? events.delay
        events.areDuplicated = self["duplicated"].bool ?? events.areDuplicated
        events.areDisordered = self["disordered"].bool ?? events.areDisordered
        if let types = self["dropped"].string {
            events.droppedTypes = Set(types.split(separator: ",").map(String.init))
        }
    }

    func apply(to settings: inout Settings) {
        settings.processingDuration = self["processing_seconds"].int ?? settings.processingDuration
        settings.processingSucceeds = self["processing_succeeds"].bool ?? settings.processingSucceeds
        settings.refundDuration = self["refund_seconds"].int ?? settings.refundDuration
        settings.keyLifetime = self["key_seconds"].int ?? settings.keyLifetime
        settings.searchLag = self["search_lag"].int ?? settings.searchLag
        settings.rateLimit = self["rate_limit"].int.map { $0 > 0 ? $0 : nil } ?? settings.rateLimit
    }

    func fault() throws(ControlError) -> Fault {
        Fault(
            try kind(),
            method: self["method"].string,
            path: self["path"].string,
            skip: self["skip"].int ?? 0,
            count: self["count"].int ?? 1,
            shouldRetry: self["should_retry"].bool,
            retryAfter: self["retry_after"].int
        )
    }

    private func kind() throws(ControlError) -> Fault.Kind {
        let moment = Fault.Moment(rawValue: self["moment"].string ?? "before") ?? .before
        return switch text("kind") {
        case "hang": .hang(moment)
        case "reset": .reset(moment)
        case "kill": .kill(moment)
        case "500": .error(500, moment)
        case "502": .error(502, moment)
        case "truncated": .truncated
        case "late": .late(seconds: self["seconds"].int)
        case "slow": .slow(seconds: self["seconds"].int)
        case "rate_limit": .rateLimit
        case "lock_timeout": .lockTimeout
        case "key_in_use": .keyInUse
        case "none": .none
        default: throw ControlError("There is no fault \(text("kind")).")
        }
    }
}

extension Movement {
    fileprivate var json: JSON {
        [
            "kind": .string(kind.rawValue), "intent": .string(intent), "object": .string(object),
            "amount": .int(amount), "currency": .string(currency), "at": .int(at),
        ]
    }
}

extension LoggedRequest {
    fileprivate var json: JSON {
        [
            "id": .string(id), "method": .string(method), "path": .string(path),
            "parameters": .object(parameters.mapValues(JSON.string)), "idempotency_key": JSON(idempotencyKey),
            "status": .int(status), "replayed": .bool(isReplayed), "fault": JSON(fault), "at": .int(at),
        ]
    }
}
