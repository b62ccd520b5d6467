/// Whom a rule is about, and what it grants them.
package struct AccessRule: Hashable, Sendable {
    /// What a caller may do besides using a queue of its own account; each includes those before it.
    package enum Role: String, Comparable, CaseIterable, Sendable {
        case customer
        /// Answers for other accounts: Ask to Buy.
        case approver
        /// Looks into all queues, and changes what is in them.
        case `operator`

        package static func < (one: Role, other: Role) -> Bool {
            allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
        }
    }

    /// The users; nil for all. Of the three lists, each that is there must hold the caller.
    package var users: Set<UInt32>?
    /// Groups that the caller is in one of; nil for all.
    package var groups: Set<UInt32>?
    /// System services that the caller belongs to one of; nil for all.
    package var units: Set<String>?
    package var applications: [ApplicationPattern]
    /// Who pays; nil for the caller's own account.
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

    /// Whether the rule is about the caller, for some application at least.
    func isAbout(_ caller: Caller) -> Bool {
        (users?.contains(caller.uid) ?? true)
            && (groups.map { !$0.isDisjoint(with: caller.groups) } ?? true)
            && (units.map { units in caller.unit.map(units.contains) ?? false } ?? true)
            && (caller.confinement.map(covers) ?? true)
    }

    func covers(_ application: String) -> Bool {
        applications.contains { $0.covers(application) }
    }
}
