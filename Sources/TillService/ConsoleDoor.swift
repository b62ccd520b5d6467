package import TillModel

/// The way into the operator page, for a daemon that serves one.
package struct ConsoleDoor: Sendable {
    /// Makes an invitation for a user, who may then only read or everything that operators may.
    let invite: @Sendable (_ uid: UInt32, _ isReadOnly: Bool) -> ConsoleInvitation

    package init(invite: @escaping @Sendable (_ uid: UInt32, _ isReadOnly: Bool) -> ConsoleInvitation) {
        self.invite = invite
    }
}
