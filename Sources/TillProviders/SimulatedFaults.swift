import TillModel

/// Faults that the simulated provider simulates, by product; without one it answers at once.
package struct SimulatedFaults: Hashable, Sendable {
    /// Charges are declined, every time.
    package var declined: Set<String> = []
    /// The first call for each charge or refund times out without an effect.
    package var timeoutBeforeEffect: Set<String> = []
    /// The first call for each charge or refund times out after its effect.
    package var timeoutAfterEffect: Set<String> = []
    /// The first call for each charge or refund times out, and takes effect ``delay`` later, unless the process ends.
    package var timeoutDuringEffect: Set<String> = []
    /// Charges, refunds and queries are not answered.
    package var unreachable: Set<String> = []
    /// Charges and refunds take ``delay``.
    package var slow: Set<String> = []
    package var delay = Duration.seconds(5)
    /// Applications whose restores are refused.
    package var refusedRestores: Set<String> = []
    /// Refunds are declined, every time.
    package var declinedRefunds: Set<String> = []
    /// Identities are forgotten after ``SimulatedBook/memory``: the provider then does not find a charge with such an
    /// identity, and charges again for it.
    package var forgetsKeys = false

    package init() {}
}

extension SimulatedFaults {
    /// The faults by their setting names.
    enum Key: String, CaseIterable {
        case decline = "provider-decline"
        case timeoutBefore = "provider-timeout-before"
        case timeoutDuring = "provider-timeout-during"
        case timeoutAfter = "provider-timeout-after"
        case unreachable = "provider-unreachable"
        case slow = "provider-slow"
        case delay = "provider-delay"
        case refuseRestore = "provider-refuse-restore"
        case declineRefund = "provider-decline-refund"
        case forgetKeys = "provider-forget-keys"

        /// The valid values, in words.
        var domain: String {
            switch self {
            case .delay: "seconds, 0 to \(SimulatedFaults.delayMaximum)"
            case .forgetKeys: "true or false"
            case .refuseRestore: "applications, separated by commas; empty for none"
            default: "products, separated by commas; empty for none"
            }
        }

        fileprivate var list: WritableKeyPath<SimulatedFaults, Set<String>>? {
            switch self {
            case .decline: \.declined
            case .timeoutBefore: \.timeoutBeforeEffect
            case .timeoutDuring: \.timeoutDuringEffect
            case .timeoutAfter: \.timeoutAfterEffect
            case .unreachable: \.unreachable
            case .slow: \.slow
            case .refuseRestore: \.refusedRestores
            case .declineRefund: \.declinedRefunds
            case .delay, .forgetKeys: nil
            }
        }
    }

    /// Products or applications in one list.
    package static let listMaximum = 64
    /// The longest delay, in seconds.
    package static let delayMaximum = 3600

    /// The fault as text.
    subscript(_ key: Key) -> String {
        if let list = key.list {
            return self[keyPath: list].sorted().joined(separator: ",")
        }
        guard key == .delay else {
            return "\(forgetsKeys)"
        }
        let milliseconds = delay / .milliseconds(1)
        let seconds = milliseconds / 1000
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }

    /// Sets the fault to the value in the text.
    ///
    /// - Throws: `invalidArgument` that names the valid values.
    mutating func set(_ key: Key, to text: String) throws(TillError) {
        if let list = key.list {
            self[keyPath: list] = try Self.list(key, text)
        } else if key == .delay {
            delay = try Self.delay(key, text)
        } else {
            guard let value = Bool(text) else {
                throw Self.refusal(key, text)
            }
            forgetsKeys = value
        }
    }

    private static func list(_ key: Key, _ text: String) throws(TillError) -> Set<String> {
        let names = text.split(separator: ",").map(String.init)
        guard names.count <= listMaximum, names.allSatisfy(Identifier.isValid) else {
            throw refusal(key, text)
        }
        return Set(names)
    }

    private static func delay(_ key: Key, _ text: String) throws(TillError) -> Duration {
        guard let seconds = Double(text), (0...Double(delayMaximum)).contains(seconds) else {
            throw refusal(key, text)
        }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    private static func refusal(_ key: Key, _ text: String) -> TillError {
        TillError(.invalidArgument, "Invalid value \(text) for \(key.rawValue): use \(key.domain).")
    }
}
