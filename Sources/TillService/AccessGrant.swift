/// What a caller may do for one application.
package struct AccessGrant: Hashable, Sendable {
    /// Who pays.
    package var account: String
    package var role: AccessRule.Role
    /// Whether a sandbox leaves the caller this one application.
    package var isConfined: Bool

    package init(account: String, role: AccessRule.Role, isConfined: Bool) {
        self.account = account
        self.role = role
        self.isConfined = isConfined
    }
}
