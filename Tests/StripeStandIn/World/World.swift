/// Everything that Stripe knows, and the changes that the book does not have yet.
///
/// A value without I/O: the time and the request are given to it. Operations check everything before the first change,
/// because an error does not undo changes: a declined charge answers 402 and changes its intent.
struct World: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case charge, customer, dispute, event, refund
        case intent = "payment_intent"
        case method = "payment_method"
        case portal = "billing_portal.session"
        case session = "checkout.session"
        case setup = "setup_intent"
        case warning = "radar.early_fraud_warning"
        case delivery = "webhook_delivery"

        /// How an error names it.
        var name: String {
            switch self {
            case .method: "PaymentMethod"
            default: rawValue
            }
        }
    }

    /// Who asks, and when.
    struct Origin: Sendable {
        var now = 0
        var isLive = false
        /// The account of the API key, if it is not the stand-in's.
        var account: String?
        var baseURL = ""
        var requestID: String?
        var key: String?
    }

    /// What the next transaction of the book writes.
    struct Changes: Sendable {
        var objects: Set<String> = []
        var answers: Set<String> = []
        var movementCount = 0
        var requestCount = 0

        var isEmpty: Bool { objects.isEmpty && answers.isEmpty && movementCount == 0 && requestCount == 0 }
    }

    var settings: Settings {
        didSet { areSettingsChanged = true }
    }
    var areSettingsChanged = true
    var origin = Origin()
    private(set) var objects: [String: Fields] = [:]
    /// The ids of each kind, oldest first.
    private(set) var ids: [Kind: [String]] = [:]
    private(set) var answers: [String: StoredAnswer] = [:]
    private(set) var movements: [Movement] = []
    private(set) var requests: [LoggedRequest] = []
    private(set) var changes = Changes()
    /// The earliest time at which something happens by itself.
    private var nextDue = Int.max

    var now: Int { origin.now }

    init(_ settings: Settings) {
        self.settings = settings
    }
}

extension World {
    /// Makes an object with a new id.
    mutating func make(_ kind: Kind, _ prefix: String, _ fields: Fields) -> Fields {
        var object = fields
        object["id"] = .string(nextID(prefix))
        object["object"] = .string(kind.rawValue)
        object["created"] = .int(now)
        object["livemode"] = fields["livemode"] ?? .bool(origin.isLive)
        object["_sequence"] = .int(Int(settings.counter))
        ids[kind, default: []].append(object.id)
        save(object)
        return object
    }

    /// Stores a version of an object, and reports it as an event.
    mutating func save(_ object: Fields, event: String? = nil) {
        objects[object.id] = object.addingStatus(to: objects[object.id], at: now)
        changes.objects.insert(object.id)
        nextDue = min(nextDue, object.due ?? .max)
        if let event {
            emit(event, object)
        }
    }

    /// Does what is due: the time has passed since the last request.
    mutating func settle() {
        guard nextDue <= now else {
            return
        }
        expireSessions()
        settlePayments()
        settleRefunds()
        nextDue = objects.values.compactMap(\.due).min() ?? .max
    }

    /// Moves the clock forward. What is due in the time between happens at its own time.
    mutating func advance(by seconds: Int) {
        let target = now + seconds
        var last = Int.min
        while nextDue <= target, nextDue > last {
            last = nextDue
            origin.now = max(now, nextDue)
            settle()
        }
        origin.now = target
        settings.clockOffset += seconds
    }

    func all(_ kind: Kind) -> [Fields] {
        (ids[kind] ?? []).compactMap { objects[$0] }
    }

    func find(_ kind: Kind, _ id: String) -> Fields? {
        guard let object = objects[id], object.text("object") == kind.rawValue else {
            return nil
        }
        return object
    }

    /// Returns an object that a request names.
    func require(_ kind: Kind, _ id: String, param: String, status: Int = 404) throws(StripeFailure) -> Fields {
        guard let object = find(kind, id), object["livemode"]?.bool == origin.isLive else {
            throw .missing(kind.name, id, param: param, status: status)
        }
        return object
    }

    /// Puts the newest object of a kind before the one that precedes it.
    mutating func swapNewest(_ kind: Kind) {
        guard var list = ids[kind], list.count > 1 else {
            return
        }
        list.swapAt(list.count - 1, list.count - 2)
        ids[kind] = list
        for (index, id) in list.enumerated().suffix(2) {
            objects[id]?["_sequence"] = .int(Int(settings.counter) + index - list.count)
            changes.objects.insert(id)
        }
    }

    /// Returns a new id. Stand-ins with different seeds have different ids.
    mutating func nextID(_ prefix: String) -> String {
        settings.counter += 1
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var text = ""
        for round in 0..<3 as Range<UInt64> {
            var bits = settings.seed &+ settings.counter &* 0x9E37_79B9_7F4A_7C15 &+ round &* 0xD1B5_4A32_D192_ED03
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            bits ^= bits >> 31
            for _ in 0..<8 {
                text.append(alphabet[Int(bits % 62)])
                bits /= 62
            }
        }
        return prefix + text
    }

    mutating func move(_ kind: Movement.Kind, _ intent: String, _ object: String, _ amount: Int, _ currency: String) {
        movements.append(
            Movement(kind: kind, intent: intent, object: object, amount: amount, currency: currency, at: now)
        )
        changes.movementCount += 1
    }

    mutating func log(_ request: LoggedRequest) {
        requests.append(request)
        changes.requestCount += 1
    }

    mutating func store(_ answer: StoredAnswer, for key: String) {
        answers[key] = answer
        changes.answers.insert(key)
    }

    /// Forgets what changed, after the book has it.
    mutating func markWritten() {
        changes = Changes()
        areSettingsChanged = false
    }

    /// Takes what the book has.
    mutating func load(
        objects stored: [(kind: String, fields: Fields)],
        answers: [String: StoredAnswer],
        movements: [Movement],
        requests: [LoggedRequest]
    ) {
        for (kind, fields) in stored {
            objects[fields.id] = fields
            if let kind = Kind(rawValue: kind) {
                ids[kind, default: []].append(fields.id)
            }
        }
        self.answers = answers
        self.movements = movements
        self.requests = requests
        nextDue = objects.values.compactMap(\.due).min() ?? .max
        markWritten()
    }
}

extension Fields {
    /// Adds the status of a PaymentIntent to the history of its earlier version. The search reads it.
    fileprivate func addingStatus(to old: Fields?, at now: Int) -> Fields {
        guard text("object") == World.Kind.intent.rawValue else {
            return self
        }
        let history = old?["_history"]?.array ?? []
        guard history.last?["status"].string != status else {
            return merging(["_history": .array(history)]) { _, last in last }
        }
        let entry: JSON = ["at": .int(now), "status": .string(status)]
        return merging(["_history": .array(history + [entry])]) { _, last in last }
    }

    /// The time at which the object changes by itself.
    fileprivate var due: Int? {
        if text("object") == World.Kind.session.rawValue {
            return status == "open" ? number("expires_at") : nil
        }
        return self["_process_at"]?.int ?? self["_settle_at"]?.int
    }
}
