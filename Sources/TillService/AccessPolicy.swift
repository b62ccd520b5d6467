package import TillModel

/// The rules that decide which users may use the daemon, whose account pays, and which role a user has.
///
/// The kernel identifies the user; nothing that a peer sends changes it. The first rule that matches the caller and
/// covers the application decides. Properties of a process can only remove rights, never grant them.
package struct AccessPolicy: Hashable, Sendable {
    /// The users that a list admits in addition to the daemon's own.
    package enum Users: Hashable, Sendable {
        case none
        case some(Set<UInt32>)
        case all
    }

    /// Where the rules come from, which decides what a refusal suggests.
    private enum Source: Hashable {
        case options
        case file
    }

    /// The ID that the kernel shows for users and groups that it cannot map (user_namespaces(7)). A policy file may not
    /// name it.
    package static let overflowID: UInt32 = 65534

    private let rules: [AccessRule]
    private let source: Source
    private let own: UInt32
    /// The host whose users are told apart from those of other hosts; nil if user ids need no host.
    package var host: String?

    /// A policy of lists of users. The daemon's own user is an operator.
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

    /// A policy of a file: its rules in order, followed by the daemon's own user as an operator.
    package init(own: UInt32, rules: [AccessRule]) {
        self.own = own
        source = .file
        self.rules = rules + [AccessRule(users: [own], role: .operator)]
    }

    /// Whether any user other than the daemon's own may use it.
    package var isOpenToOthers: Bool {
        rules.contains { $0.users.map { !$0.subtracting([own]).isEmpty } ?? true }
    }

    /// Whether a rule can match the user with some groups and process.
    package func mayServe(_ user: UInt32) -> Bool {
        rules.contains { $0.users?.contains(user) ?? true }
    }

    /// The caller's rights for the application.
    ///
    /// - Throws: `permissionDenied` with the reason; `unavailable` if the caller cannot be examined for now.
    package func grant(to caller: Caller, for application: String) throws(TillError) -> AccessGrant {
        try check(caller)
        if let confinement = caller.confinement, !confinement.utf8.elementsEqual(application.utf8) {
            throw TillError(.permissionDenied, "This process is in a sandbox, and may act for \(confinement) only.")
        }
        guard let rule = rules.first(where: { $0.matches(caller) && $0.covers(application) }) else {
            throw TillError(
                .permissionDenied,
                "User \(caller.uid) may not act for \(application); see the policy file."
            )
        }
        let isConfined = caller.confinement != nil
        return AccessGrant(
            account: rule.account ?? String(user: caller.uid, host: host),
            role: isConfined ? .customer : rule.role,
            isConfined: isConfined
        )
    }

    /// Refuses a caller that may not act for any application.
    ///
    /// - Throws: `permissionDenied`; `unavailable` if the caller cannot be examined for now.
    package func check(_ caller: Caller) throws(TillError) {
        switch (caller.process, source) {
        case (.unbelievable(let reason), _), (.unexaminable(let reason, _), .file):
            throw TillError(.permissionDenied, reason)
        case (.unknownYet(let reason), _):
            throw TillError(.unavailable, reason)
        case (.examined, _), (.unexamined, _), (.unexaminable, .options):
            // Lists name only users, which every machine can identify. A file distinguishes processes too.
            break
        }
        guard source == .options || caller.uid != Self.overflowID else {
            throw TillError(
                .permissionDenied,
                "The kernel cannot identify the calling user, and the policy file admits known users only."
            )
        }
        guard rules.contains(where: { $0.matches(caller) }) else {
            throw TillError(.permissionDenied, "User \(caller.uid) may not use this daemon; \(whoAllows)")
        }
    }

    /// Whether the caller may have the keys that sign receipts: it could read their files anyway.
    func mayHaveKeys(_ caller: Caller) -> Bool {
        caller.confinement == nil && (caller.uid == 0 || caller.uid == own)
    }

    /// The error for a caller whose role is not sufficient.
    func refusal(of caller: Caller, as role: AccessRule.Role) -> TillError {
        let hint =
            switch source {
            case .options: "see the option --operators."
            case .file: "see the policy file."
            }
        return TillError(.permissionDenied, "User \(caller.uid) is not an \(role.rawValue); \(hint)")
    }

    private var whoAllows: String {
        switch source {
        case .options: "its operator allows users with --allow-users."
        case .file: "its policy file has no rule for this caller."
        }
    }
}
