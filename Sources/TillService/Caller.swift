package import TTRPC

/// Who calls: the kernel's word on the user, and what is known of the process.
package struct Caller: Hashable, Sendable {
    /// What is known of the process that connected.
    package enum Process: Hashable, Sendable {
        /// Nobody has looked at it: that of a server within the application itself.
        case unexamined
        /// The system service that it belongs to, which only root can say of a process, and the one application that
        /// its sandbox leaves it.
        case examined(unit: String?, confinedTo: String?)
        /// This machine does not let it be examined, whatever it does: what is seen of it may take rights away. The reason
        /// is a sentence for the caller.
        case unexaminable(reason: String, confinedTo: String?)
        /// Nothing that can be believed; the reason is a sentence for the caller.
        case unbelievable(reason: String)
        /// The daemon lacks for now what it takes to look; the reason is a sentence for the caller.
        case unknownYet(reason: String)
    }

    /// The user when the process connected.
    package var uid: UInt32
    /// The process that connected; its number may be another's by now.
    package var pid: Int32
    /// The primary and the supplementary groups.
    package var groups: Set<UInt32>
    package var process: Process

    package init(uid: UInt32, pid: Int32 = 0, groups: Set<UInt32> = [], process: Process = .unexamined) {
        self.uid = uid
        self.pid = pid
        self.groups = groups
        self.process = process
    }

    /// A caller of whom nothing but the kernel's word is asked.
    package init(_ peer: Peer) {
        self.init(uid: peer.uid, pid: peer.pid, groups: [peer.gid])
    }

    var unit: String? {
        guard case .examined(let unit, _) = process else {
            return nil
        }
        return unit
    }

    /// The one application that the caller may act for, whatever the policy grants; nil for any.
    var confinement: String? {
        switch process {
        case .examined(_, let application), .unexaminable(_, let application): application
        case .unexamined, .unbelievable, .unknownYet: nil
        }
    }
}
