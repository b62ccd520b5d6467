/// Who answers questions of the store.
package struct Approver: Hashable, Sendable {
    package var uid: UInt32
    /// The account whose own questions these are.
    package var account: String
    /// Whether this user also answers for other accounts: approves, and declines.
    package var approvesForOthers: Bool

    package init(uid: UInt32, account: String, approvesForOthers: Bool) {
        self.uid = uid
        self.account = account
        self.approvesForOthers = approvesForOthers
    }

    /// Whether the question to an account is this user's to answer.
    ///
    /// - Parameter isApproval: Whether it is about Ask to Buy, which nobody answers for themselves.
    func mayAnswer(for account: String, isApproval: Bool) -> Bool {
        approvesForOthers || (account == self.account && !isApproval)
    }
}
