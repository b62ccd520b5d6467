package import TillModel

/// Who acts as an operator, and why.
package struct OperatorIdentity: Hashable, Sendable {
    /// The longest reason, in bytes of UTF-8.
    package static let reasonMaximumBytes = 256

    /// By the kernel's word.
    package var uid: UInt32
    /// In the operator's words; at most ``reasonMaximumBytes``.
    package var reason: String

    package init(uid: UInt32, reason: String) {
        self.uid = uid
        self.reason = reason
    }

    /// Checked before a command, so that one that cannot be recorded never begins.
    ///
    /// - Throws: `invalidArgument` for a reason that is too long.
    package func validate() throws(TillError) {
        guard reason.utf8.count <= Self.reasonMaximumBytes else {
            throw TillError(.invalidArgument, "The reason must be at most \(Self.reasonMaximumBytes) bytes.")
        }
    }

    /// As the history names it.
    var actor: String {
        "uid:\(uid)"
    }
}
