/// Which user of the machine an account is.
package enum AccountUser {
    /// Of `uid:1000`, for example; nil for other accounts.
    package static let ofAccount: @Sendable (String) -> UInt32? = { account in
        guard account.hasPrefix("uid:"), let user = UInt32(account.dropFirst(4)), account == "uid:\(user)" else {
            return nil
        }
        // The last one means nobody at all (chown(2)).
        return user == .max ? nil : user
    }
}
