/// Maps accounts to users of the machine.
package enum AccountUser {
    /// The user of an account such as `uid:1000`; nil for other accounts.
    package static let ofAccount: @Sendable (String) -> UInt32? = { account in
        guard account.hasPrefix("uid:"), let user = UInt32(account.dropFirst(4)), account == "uid:\(user)" else {
            return nil
        }
        // The highest number does not denote a user (chown(2)).
        return user == .max ? nil : user
    }
}
