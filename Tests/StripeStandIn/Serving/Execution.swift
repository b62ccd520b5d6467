/// One execution of a request: the checks in Stripe's order, the operation, and what is stored for the key.
struct Execution {
    private static let keyBytesMaximum = 255

    var request: StripeRequest
    var fault: Fault?
    var isKeyInUse: Bool
    var requestID: String
    private(set) var isReplayed = false

    init(request: StripeRequest, fault: Fault?, isKeyInUse: Bool, requestID: String) {
        self.request = request
        self.fault = fault
        self.isKeyInUse = isKeyInUse
        self.requestID = requestID
    }

    mutating func run(_ state: inout Backend.State) -> StripeAnswer {
        do throws(StripeFailure) {
            let (route, id) = try authorize(state.world)
            try limit(route.operation, &state)
            if let stored = try replayed(state.world) {
                return stored
            }
            try validate(route)
            if request.method == "POST", state.lockedObjects.contains(id) {
                throw StripeFailure.lockTimeout
            }
            return try execute(route, id, &state.world)
        } catch {
            return StripeAnswer(error)
        }
    }

    /// Checks the key, the version and the permission.
    private func authorize(_ world: World) throws(StripeFailure) -> (Route, String) {
        guard let secret = request.apiKey else {
            throw .unauthorized
        }
        guard let key = world.settings.keys.first(where: { $0.key == secret }), !key.isRevoked else {
            throw .invalidKey(secret)
        }
        guard request.key.map({ $0.utf8.count <= Self.keyBytesMaximum }) ?? true else {
            throw .invalid("The idempotency key is longer than \(Self.keyBytesMaximum) characters.")
        }
        guard request.version != nil else {
            throw .invalid("The stand-in requires the header Stripe-Version.")
        }
        guard let (route, id) = Route.find(request) else {
            throw StripeFailure(
                404,
                type: "invalid_request_error",
                "Unrecognized request URL (\(request.method): \(request.path))."
            )
        }
        guard key.allows(route.permission) else {
            throw .forbidden(route.permission)
        }
        return (route, id)
    }

    private func limit(_ operation: Operation, _ state: inout Backend.State) throws(StripeFailure) {
        if let failure = fault?.failureBefore, !failure.isStored {
            throw failure
        }
        guard let limit = state.world.settings.rateLimit else {
            return
        }
        let now = state.world.now
        let count = state.rates[operation].map { $0.second == now ? $0.count : 0 } ?? 0
        guard count < limit else {
            throw .rateLimit
        }
        state.rates[operation] = (now, count + 1)
    }

    /// Returns the stored answer of a repeated key.
    private mutating func replayed(_ world: World) throws(StripeFailure) -> StripeAnswer? {
        guard let key = request.idempotencyKey else {
            return nil
        }
        let decision = KeyDecision(
            stored: world.answers[scoped(key)],
            isInUse: isKeyInUse,
            fingerprint: request.fingerprint,
            now: world.now,
            lifetime: world.settings.keyLifetime
        )
        switch decision {
        case .execute:
            return nil
        case .refuse(let failure):
            throw failure
        case .replay(let stored):
            isReplayed = true
            var answer = StripeAnswer(status: stored.status, text: stored.body)
            answer.headers["idempotent-replayed"] = "true"
            answer.headers["original-request"] = stored.requestID
            return answer
        }
    }

    private var isLive: Bool { request.apiKey?.contains("_live_") ?? false }

    /// All API keys of an account share the idempotency keys, but test mode and live mode do not.
    private func scoped(_ key: String) -> String {
        isLive ? "live \(key)" : "test \(key)"
    }

    private func validate(_ route: Route) throws(StripeFailure) {
        if let name = request.fields.undocumented(route.parameters) {
            throw .unknownParameter(name)
        }
    }

    private func execute(_ route: Route, _ id: String, _ world: inout World) throws(StripeFailure) -> StripeAnswer {
        world.origin.isLive = isLive
        world.origin.account = world.settings.keys.first { $0.key == request.apiKey }?.account
        world.origin.requestID = requestID
        world.origin.key = request.idempotencyKey
        if let host = request.host {
            world.origin.baseURL = "http://\(host)"
        }
        let call = Call(operation: route.operation, path: request.path, id: id, fields: request.fields)
        let answer = answer(to: call, &world)
        if answer.isStored, let key = request.idempotencyKey {
            let stored = StoredAnswer(
                fingerprint: request.fingerprint,
                status: answer.stored.status,
                body: answer.stored.body,
                requestID: requestID,
                storedAt: world.now
            )
            world.store(stored, for: scoped(key))
        }
        return answer.sent
    }

    /// What is sent, and what is stored for the key: they differ if a proxy loses the answer.
    private struct Answers {
        var sent: StripeAnswer
        var stored: StripeAnswer
        var isStored: Bool
    }

    private func answer(to call: Call, _ world: inout World) -> Answers {
        if let failure = fault?.failureBefore {
            let answer = StripeAnswer(failure)
            return Answers(sent: answer, stored: answer, isStored: failure.isStored)
        }
        var answer: StripeAnswer
        var isStored = true
        do throws(StripeFailure) {
            let object = try world.perform(call)
            answer = StripeAnswer(200, world.expand(object, request.fields.list("expand")))
        } catch {
            answer = StripeAnswer(error)
            isStored = error.isStored
        }
        guard let failure = fault?.failureAfter else {
            return Answers(sent: answer, stored: answer, isStored: isStored)
        }
        let sent = StripeAnswer(failure)
        return Answers(sent: sent, stored: failure.isStored ? sent : answer, isStored: isStored)
    }
}
