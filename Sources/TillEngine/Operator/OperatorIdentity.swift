/// Who asks for something that is written into the audit log, and why.
package struct OperatorIdentity: Hashable, Sendable {
    package var uid: UInt32
    /// In the operator's words.
    package var reason: String

    package init(uid: UInt32, reason: String) {
        self.uid = uid
        self.reason = reason
    }
}
