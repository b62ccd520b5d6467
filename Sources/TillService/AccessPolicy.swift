package import TillModel

/// Which users may use the daemon, whose account each pays from, and who may do more.
///
/// A user is who the kernel says; nothing that a peer sends changes it. The first rule decides that is about the caller
/// and covers the application; what a process says of itself takes rights away, and gives none.
package struct AccessPolicy: Hashable, Sendable {
    /// Users besides the daemon's own.
    package enum Users: Hashable, Sendable {
        case none
        case some(Set<UInt32>)
        case all
    }

    /// Where the rules come from, and so what a caller who is refused can ask for.
    private enum Source: Hashable {
        case options
        case file
    }

    /// Whom the kernel shows as this user or group it cannot name (user_namespaces(7)), so that no policy file may.
    package static let overflowID: UInt32 = 65534

    private let rules: [AccessRule]
    private let source: Source
    private let own: UInt32

    /// The policy of lists of users; the daemon's own user is an operator.
    package init(own: UInt32, others: Users = .none, operators: Set<UInt32> = [], approvers: Set<UInt32> = []) {
        self.own = own
        source = .options
        let everybody: AccessRule? =
            switch others {
            case .none: nil
            case .some(let users): AccessRule(users: users)
            case .all: AccessRule()
            }
        rules =
            [
                AccessRule(users: operators.union([own]), role: .operator),
                AccessRule(users: approvers, role: .approver),
            ] + [everybody].compactMap(\.self)
    }

    /// The policy of a file: its rules in their order, and then the daemon's own user as an operator.
    package init(own: UInt32, rules: [AccessRule]) {
        self.own = own
        source = .file
        self.rules = rules + [AccessRule(users: [own], role: .operator)]
    }

    /// Whether anybody but the daemon's own user may use it.
    package var isOpenToOthers: Bool {
        rules.contains { $0.users.map { !$0.subtracting([own]).isEmpty } ?? true }
    }

    /// Whether a rule may be about the user, whatever its groups and its process are.
    package func mayServe(_ user: UInt32) -> Bool {
        rules.contains { $0.users?.contains(user) ?? true }
    }

    /// What the caller may do for the application.
    ///
    /// - Throws: `permissionDenied` that says what is in the way; `unavailable` where that cannot be told for now.
    package func grant(to caller: Caller, for application: String) throws(TillError) -> AccessGrant {
        try check(caller)
        if let confinement = caller.confinement, !confinement.utf8.elementsEqual(application.utf8) {
            throw TillError(.permissionDenied, "This process is in a sandbox, and may act for \(confinement) only.")
        }
        guard let rule = rules.first(where: { $0.isAbout(caller) && $0.covers(application) }) else {
            throw TillError(
                .permissionDenied,
                "User \(caller.uid) may not act for \(application); the daemon's policy file says who may."
            )
        }
        let isConfined = caller.confinement != nil
        return AccessGrant(
            account: rule.account ?? "uid:\(caller.uid)",
            role: isConfined ? .customer : rule.role,
            isConfined: isConfined
        )
    }

    /// Refuses whoever may act for no application at all.
    ///
    /// - Throws: `permissionDenied`; `unavailable` where that cannot be told for now.
    package func check(_ caller: Caller) throws(TillError) {
        switch (caller.process, source) {
        case (.unbelievable(let reason), _), (.unexaminable(let reason, _), .file):
            throw TillError(.permissionDenied, reason)
        case (.unknownYet(let reason), _):
            throw TillError(.unavailable, reason)
        case (.examined, _), (.unexamined, _), (.unexaminable, .options):
            // Lists are about users, and work on every machine; a file tells processes apart.
            break
        }
        guard source == .options || caller.uid != Self.overflowID else {
            throw TillError(
                .permissionDenied,
                "The kernel cannot tell who calls; the policy file is about known users."
            )
        }
        guard rules.contains(where: { $0.isAbout(caller) }) else {
            throw TillError(.permissionDenied, "User \(caller.uid) may not use this daemon; \(whoAllows)")
        }
    }

    /// What is said to a caller whose role does not reach.
    func refusal(of caller: Caller, as role: AccessRule.Role) -> TillError {
        let wanted =
            switch source {
            case .options: "it names its operators with --operators."
            case .file: "its policy file says who is."
            }
        return TillError(.permissionDenied, "User \(caller.uid) is no \(role.rawValue) of this daemon; \(wanted)")
    }

    private var whoAllows: String {
        switch source {
        case .options: "its operator allows users with --allow-users."
        case .file: "its policy file has no rule for this caller."
        }
    }
}
