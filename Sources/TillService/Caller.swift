package import TTRPC

/// The peer of a connection: the user that the kernel vouches for, and the properties of the process.
package struct Caller: Hashable, Sendable {
    /// The properties of the process that connected.
    package enum Process: Hashable, Sendable {
        /// The process was not examined, for example by a server inside the application itself.
        case unexamined
        /// The process's system service, which only root can determine, and the one application that its sandbox
        /// allows.
        case examined(unit: String?, confinedTo: String?)
        /// This machine does not allow the process to be examined; partial results can remove rights. The reason is a
        /// sentence for the caller.
        case unexaminable(reason: String, confinedTo: String?)
        /// The examination gave no trustworthy result. The reason is a sentence for the caller.
        case unbelievable(reason: String)
        /// The daemon lacks the resources to examine the process for now. The reason is a sentence for the caller.
        case unknownYet(reason: String)
    }

    /// The user when the process connected.
    package var uid: UInt32
    /// The process that connected. Its ID may have been reused since.
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

    /// A caller that is identified by the kernel's credentials alone.
    package init(_ peer: Peer) {
        self.init(uid: peer.uid, pid: peer.pid, groups: [peer.gid])
    }

    var unit: String? {
        guard case .examined(let unit, _) = process else {
            return nil
        }
        return unit
    }

    /// The one application that the caller may act for, whatever the policy grants; nil for no limit.
    var confinement: String? {
        switch process {
        case .examined(_, let application), .unexaminable(_, let application): application
        case .unexamined, .unbelievable, .unknownYet: nil
        }
    }
}
