import Foundation
import Testing
import TillModel
import TillService

/// A policy's decisions about callers whose processes were examined.
@Suite struct AccessPolicyTests {
    private static let own: UInt32 = 500
    private static let notes = "org.example.notes"

    private static let policy = AccessPolicy(
        own: own,
        rules: [
            AccessRule(users: [1], applications: patterns("org.example.*"), account: "family"),
            AccessRule(users: [1], applications: patterns("com.example.game"), role: .approver),
            AccessRule(groups: [20], applications: patterns(notes), role: .operator),
            AccessRule(units: ["kiosk.service"], applications: patterns(notes), account: "kiosk"),
            AccessRule(users: [2], groups: [21], units: ["a.service", "b.service"]),
        ]
    )

    @Test(arguments: [
        (caller(1), notes, AccessGrant(account: "family", role: .customer, isConfined: false)),
        (caller(1), "com.example.game", AccessGrant(account: "uid:1", role: .approver, isConfined: false)),
        (caller(3, groups: [7, 20]), notes, AccessGrant(account: "uid:3", role: .operator, isConfined: false)),
        // The first rule that matches both the caller and the application decides.
        (caller(1, groups: [20]), notes, AccessGrant(account: "family", role: .customer, isConfined: false)),
        (caller(4, unit: "kiosk.service"), notes, AccessGrant(account: "kiosk", role: .customer, isConfined: false)),
        (
            caller(2, groups: [21], unit: "b.service"), "x",
            AccessGrant(account: "uid:2", role: .customer, isConfined: false)
        ),
        (caller(own), "x", AccessGrant(account: "uid:500", role: .operator, isConfined: false)),
        // A sandbox removes rights.
        (caller(own, confinedTo: "x"), "x", AccessGrant(account: "uid:500", role: .customer, isConfined: true)),
        (
            caller(3, groups: [20], confinedTo: notes), notes,
            AccessGrant(account: "uid:3", role: .customer, isConfined: true)
        ),
    ])
    func theFirstRuleThatFitsDecides(_ caller: Caller, _ application: String, _ grant: AccessGrant) throws {
        #expect(try Self.policy.grant(to: caller, for: application) == grant)
    }

    @Test(arguments: [
        (caller(1), "com.example.other"),
        (caller(1), "org.example"),
        (caller(3), notes),
        (caller(3, groups: [20]), "org.example.notes2"),
        (caller(4, unit: "other.service"), notes),
        (caller(4), notes),
        (caller(2, groups: [21]), "x"),
        (caller(2, unit: "a.service"), "x"),
        // A sandbox's own claims grant no rights.
        (caller(3, confinedTo: notes), notes),
        (caller(own, confinedTo: notes), "x"),
        (caller(1, confinedTo: notes), "org.example.other"),
        (Caller(uid: own, process: .unbelievable(reason: "gone")), "x"),
        (Caller(uid: 65534, process: .examined(unit: nil, confinedTo: nil)), "x"),
    ])
    func callersThatNoRuleGrantsAreRefused(_ caller: Caller, _ application: String) {
        let error = #expect(throws: TillError.self) { try Self.policy.grant(to: caller, for: application) }
        #expect(error?.code == .permissionDenied)
    }

    @Test func unexaminableCallersAreRefusedByAFileAndKeepTheirRightsByLists() throws {
        let caller = Caller(uid: Self.own, process: .unexaminable(reason: "hidden", confinedTo: nil))
        let error = #expect(throws: TillError.self) { try Self.policy.check(caller) }
        #expect(error?.message == "hidden")
        let lists = AccessPolicy(own: Self.own)
        #expect(try lists.grant(to: caller, for: "x").role == .operator)
        let confined = Caller(uid: Self.own, process: .unexaminable(reason: "hidden", confinedTo: "x"))
        #expect(try lists.grant(to: confined, for: "x").isConfined)
        #expect(throws: TillError.self) { try lists.grant(to: confined, for: "y") }
        #expect(throws: TillError.self) {
            try lists.check(Caller(uid: Self.own, process: .unbelievable(reason: "gone")))
        }
    }

    @Test(arguments: [policy, AccessPolicy(own: own)])
    func aCallerNotKnownYetGetsARetryableError(_ policy: AccessPolicy) {
        let caller = Caller(uid: Self.own, process: .unknownYet(reason: "later"))
        let error = #expect(throws: TillError.self) { try policy.grant(to: caller, for: "x") }
        #expect(error?.code == .unavailable)
    }

    @Test(arguments: [
        (AccessPolicy(own: own), [own]), (AccessPolicy(own: own, others: .some([2])), [own, 2]),
        (AccessPolicy(own: own, operators: [2], approvers: [3]), [own, 2, 3]),
        (AccessPolicy(own: own, others: .all), [own, 2, 3, 4]), (policy, [own, 2, 3, 4]),
        (AccessPolicy(own: own, rules: [AccessRule(users: [2], groups: [20])]), [own, 2]),
    ])
    func usersWithoutARuleAreNotServed(_ policy: AccessPolicy, _ served: [UInt32]) {
        #expect([Self.own, 2, 3, 4].filter(policy.mayServe) == served)
    }

    @Test func theOverflowUserIsRefusedEvenByARuleForAllUsers() {
        let policy = AccessPolicy(own: 1, rules: [AccessRule()])
        #expect(throws: TillError.self) { try policy.check(Caller(uid: AccessPolicy.overflowID)) }
        #expect(throws: Never.self) { try policy.check(Caller(uid: 2)) }
    }

    @Test(arguments: [
        (AccessPolicy(own: 1), false), (AccessPolicy(own: 1, operators: [2]), true),
        (AccessPolicy(own: 1, approvers: [2]), true), (AccessPolicy(own: 1, others: .all), true),
        (AccessPolicy(own: 1, operators: [1], approvers: [1]), false),
        (AccessPolicy(own: 1, rules: []), false), (AccessPolicy(own: 1, rules: [AccessRule(users: [1])]), false),
        (AccessPolicy(own: 1, rules: [AccessRule(groups: [1])]), true),
        (AccessPolicy(own: 1, rules: [AccessRule(units: ["a.service"])]), true),
    ])
    func theSocketIsOpenToOthersIfAnyRuleIs(_ policy: AccessPolicy, _ isOpen: Bool) {
        #expect(policy.isOpenToOthers == isOpen)
    }

    private static func caller(
        _ uid: UInt32,
        groups: Set<UInt32> = [],
        unit: String? = nil,
        confinedTo application: String? = nil
    ) -> Caller {
        Caller(uid: uid, groups: groups, process: .examined(unit: unit, confinedTo: application))
    }

    private static func patterns(_ texts: String...) -> [ApplicationPattern] {
        texts.compactMap(ApplicationPattern.init)
    }
}

extension AccessPolicy {
    /// A policy of another user's daemon.
    static var nobody: AccessPolicy {
        AccessPolicy(own: geteuid() + 1)
    }
}
