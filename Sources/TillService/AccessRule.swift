import TillModel

/// The callers that a rule matches, and the rights that it grants.
package struct AccessRule: Hashable, Sendable {
    /// A caller's rights in addition to a queue of its own account. Each role includes those before it.
    package enum Role: String, Comparable, CaseIterable, Sendable {
        case customer
        /// Answers requests of other accounts: Ask to Buy.
        case approver
        /// Reads and changes all queues.
        case `operator`

        package static func < (one: Role, other: Role) -> Bool {
            allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
        }
    }

    /// The users; nil for all. A caller must match each of the three lists that is not nil.
    package var users: Set<UInt32>?
    /// The caller must be in one of these groups; nil for all.
    package var groups: Set<UInt32>?
    /// The caller must belong to one of these system services; nil for all.
    package var units: Set<String>?
    package var applications: [ApplicationPattern]
    /// The account that pays; nil for the caller's own.
    package var account: String?
    package var role: Role

    package init(
        users: Set<UInt32>? = nil,
        groups: Set<UInt32>? = nil,
        units: Set<String>? = nil,
        applications: [ApplicationPattern] = [.any],
        account: String? = nil,
        role: Role = .customer
    ) {
        self.users = users
        self.groups = groups
        self.units = units
        self.applications = applications
        self.account = account
        self.role = role
    }

    /// Whether the rule matches the caller for at least one application.
    func matches(_ caller: Caller) -> Bool {
        (users?.contains(caller.uid) ?? true)
            && (groups.map { !$0.isDisjoint(with: caller.groups) } ?? true)
            && (units.map { units in caller.unit.map(units.contains) ?? false } ?? true)
            && (caller.confinement.map(covers) ?? true)
    }

    func covers(_ application: String) -> Bool {
        applications.contains { $0.covers(application) }
    }
}

/// A caller's rights for one application.
package struct AccessGrant: Hashable, Sendable {
    /// The account that pays.
    package var account: String
    package var role: AccessRule.Role
    /// Whether a sandbox confines the caller to this application.
    package var isConfined: Bool

    package init(account: String, role: AccessRule.Role, isConfined: Bool) {
        self.account = account
        self.role = role
        self.isConfined = isConfined
    }
}

/// The applications that a rule covers: one, those below a prefix such as `org.example.*`, or all with `*`.
package struct ApplicationPattern: Hashable, Sendable {
    private let name: String
    /// Whether `name` is a prefix of the identifiers, rather than a whole identifier.
    private let isPrefix: Bool

    /// Nil unless the text is an identifier, a prefix that ends in a full stop and `*`, or `*` alone.
    package init?(_ text: String) {
        isPrefix = text.hasSuffix("*")
        name = isPrefix ? String(text.dropLast()) : text
        guard isPrefix else {
            guard Identifier.isValid(text) else {
                return nil
            }
            return
        }
        guard name.isEmpty || (name.hasSuffix(".") && name != "." && Identifier.isValid(name)) else {
            return nil
        }
    }

    private init() {
        name = ""
        isPrefix = true
    }

    package static let any = ApplicationPattern()

    package func covers(_ application: String) -> Bool {
        isPrefix ? application.utf8.starts(with: name.utf8) : application.utf8.elementsEqual(name.utf8)
    }
}
