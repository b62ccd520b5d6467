import Glibc
import TillCatalogue
import TillModel
import TillService

/// Reads a policy's rules from JSON. An error names the wrong key and its valid values.
struct PolicyReader {
    static let version = 1

    private static let keys: Set<String> = ["users", "groups", "units", "applications", "account", "role"]
    /// The element that matches every user or every application.
    private static let everything = "*"

    private let path: String
    private let names: SystemNames

    init(path: String, names: SystemNames) {
        self.path = path
        self.names = names
    }

    func rules(in bytes: [UInt8]) throws(TillError) -> [AccessRule] {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw TillError(
                .invalidArgument,
                "The policy file \(path) is not JSON: in line \(error.line), \(error.reason)."
            )
        }
        guard let policy = value.object, policy["version"]?.integer == Self.version else {
            throw refusal("version", "must be \(Self.version), in an object with the rules")
        }
        try check(policy.keys, against: ["version", "rules"], at: "")
        guard let rules = policy["rules"]?.array, rules.count <= PolicyLimits.rules else {
            throw refusal("rules", "must be a list of at most \(PolicyLimits.rules) rules")
        }
        var result: [AccessRule] = []
        for (index, rule) in rules.enumerated() {
            result.append(try self.rule(rule, at: "rules[\(index)]"))
        }
        return result
    }

    private func rule(_ value: JSONValue, at place: String) throws(TillError) -> AccessRule {
        guard let members = value.object else {
            throw refusal(place, "must be an object")
        }
        try check(members.keys, against: Self.keys, at: "\(place).")
        guard ["users", "groups", "units"].contains(where: { members[$0] != nil }) else {
            throw refusal(place, "must have users, groups or units (\"users\": [\"*\"] matches every user)")
        }
        return AccessRule(
            users: try identifiers(members["users"], at: "\(place).users", orEverybody: true, names.user),
            groups: try identifiers(members["groups"], at: "\(place).groups", orEverybody: false, names.group),
            units: try units(members["units"], at: "\(place).units"),
            applications: try applications(members["applications"], at: "\(place).applications"),
            account: try account(members["account"], at: "\(place).account"),
            role: try role(members["role"], at: "\(place).role")
        )
    }

    private func identifiers(
        _ value: JSONValue?,
        at place: String,
        orEverybody: Bool,
        _ number: (String) -> UInt32?
    ) throws(TillError) -> Set<UInt32>? {
        guard let value else {
            return nil
        }
        let elements = try list(value, at: place)
        if orEverybody, elements == [.string(Self.everything)] {
            return nil
        }
        var result: Set<UInt32> = []
        for element in elements {
            let id: UInt32? =
                switch element {
                case .number(let text): UInt32(text)
                case .string(let name): number(name)
                default: nil
                }
            guard let id, id != .max else {
                throw refusal(place, "must be numbers or known names; \(Self.text(element)) is neither")
            }
            guard id != AccessPolicy.overflowID else {
                throw refusal(place, "must not contain \(id), which the kernel shows for ids that it cannot map")
            }
            result.insert(id)
        }
        return result
    }

    private func units(_ value: JSONValue?, at place: String) throws(TillError) -> Set<String>? {
        guard let value else {
            return nil
        }
        var result: Set<String> = []
        for element in try list(value, at: place) {
            guard let unit = element.string, unit.hasSuffix(".service"), unit.utf8.count <= PolicyLimits.unitBytes,
                unit.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
            else {
                throw refusal(place, "must be system services, such as kiosk.service; \(Self.text(element)) is not one")
            }
            result.insert(unit)
        }
        return result
    }

    private func applications(_ value: JSONValue?, at place: String) throws(TillError) -> [ApplicationPattern] {
        guard let value else {
            throw refusal(place, "is missing: use identifiers, or [\"*\"] for all")
        }
        var result: [ApplicationPattern] = []
        for element in try list(value, at: place) {
            guard let pattern = element.string.flatMap(ApplicationPattern.init) else {
                throw refusal(place, "must be org.example.app, org.example.* or *, not \(Self.text(element))")
            }
            result.append(pattern)
        }
        return result
    }

    private func account(_ value: JSONValue?, at place: String) throws(TillError) -> String? {
        guard let value else {
            return nil
        }
        guard let name = value.string, Identifier.isValid(name) else {
            let rule = "1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
            throw refusal(place, "must be \(rule), but is \(Self.text(value))")
        }
        return name
    }

    private func role(_ value: JSONValue?, at place: String) throws(TillError) -> AccessRule.Role {
        guard let value else {
            return .customer
        }
        guard let role = value.string.flatMap(AccessRule.Role.init) else {
            let roles = AccessRule.Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(place, "must be one of \(roles), but is \(Self.text(value))")
        }
        return role
    }

    private func list(_ value: JSONValue, at place: String) throws(TillError) -> [JSONValue] {
        guard let elements = value.array, (1...PolicyLimits.elements).contains(elements.count) else {
            throw refusal(place, "must be a list of 1 to \(PolicyLimits.elements) elements")
        }
        return elements
    }

    private func check(
        _ keys: some Collection<String>,
        against known: Set<String>,
        at place: String
    ) throws(TillError) {
        if let key = keys.sorted().first(where: { !known.contains($0) }) {
            throw refusal(place + key, "is not a key; the keys are \(known.sorted().joined(separator: ", "))")
        }
    }

    private func refusal(_ key: String, _ rule: String) -> TillError {
        TillError(.invalidArgument, "The policy file \(path): \(key) \(rule).")
    }

    /// The value as the error shows it.
    private static func text(_ value: JSONValue) -> String {
        value.exactText.map { $0.quoted } ?? "another kind of value"
    }
}

/// The names of users and groups in the system's database.
struct SystemNames: Sendable {
    var user: @Sendable (String) -> UInt32?
    var group: @Sendable (String) -> UInt32?

    /// The machine's database (getpwnam(3), getgrnam(3)). Only one thread may use it, as when the daemon starts.
    static let database = SystemNames(
        user: { unsafe getpwnam($0)?.pointee.pw_uid },
        group: { unsafe getgrnam($0)?.pointee.gr_gid }
    )
}
