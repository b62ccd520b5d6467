import Glibc
import TTRPC
import TillModel
import TillService

/// Finds out who a process is that has connected: which service of the system, and in which sandbox.
///
/// In this order: the kernel has said the user, and the process is held by a descriptor; `/proc` is read by its number;
/// and only if the process still runs then was it the same one that was read of.
enum CallerInspection {
    /// Where flatpak says in each of its sandboxes what runs there.
    private static let flatpakInfo = ".flatpak-info"

    static func caller(
        _ peer: Peer,
        _ process: Result<PeerProcess, PeerProcess.Failure>,
        own: UInt32 = geteuid()
    ) -> Caller {
        var caller = Caller(peer)
        do throws(PeerProcess.Failure) {
            let process = try process.get()
            caller.groups.formUnion(process.groups)
            let files = ProcessFiles(processID: peer.pid)
            let found = examine(files, of: peer, isFoundByNumber: process.isFoundByNumber, own: own)
            try process.requireRunning()
            caller.process = process.isHeld ? found : unheld(found)
        } catch {
            caller.process = self.process(that: error)
        }
        return caller
    }

    /// What a process is taken for that cannot be held.
    static func process(that failure: PeerProcess.Failure) -> Caller.Process {
        switch failure {
        case .ended:
            return .unbelievable(reason: goneReason)
        case .unknown(let code):
            let reason = unsafe "The daemon cannot tell which process calls: \(String(cString: strerror(code)))."
            guard SystemShortage.isPassing(code) else {
                return .unbelievable(reason: reason)
            }
            return .unknownYet(reason: "\(reason) Try again later.")
        }
    }

    /// What the files say, whoever's they are.
    static func examine(
        _ files: ProcessFiles,
        of peer: Peer,
        isFoundByNumber: Bool,
        own: UInt32
    ) -> Caller.Process {
        do throws(ProcessFiles.Failure) {
            if isFoundByNumber {
                guard try files.users() == [UInt32](repeating: peer.uid, count: 4) else {
                    return .unbelievable(reason: "The process that connected is not who it was; connect again.")
                }
            }
            let groups = try files.controlGroups()
            // Whose root cannot be looked at for want of rights is judged by the control groups.
            guard own == 0 || peer.uid == own else {
                return process(unit: groups.unit, groups.confinements)
            }
            return try examineRoot(files, of: peer, groups, own: own)
        } catch {
            return process(that: error, hides: peer, own: own)
        }
    }

    /// What a process is taken for that cannot be examined.
    static func process(that failure: ProcessFiles.Failure, hides peer: Peer, own: UInt32) -> Caller.Process {
        let reason = reason(failure, peer)
        guard !failure.isPassing else {
            return .unknownYet(reason: "\(reason) Try again later.")
        }
        // What is wrong with a process of the daemon's own user may be that one's doing: it can hide itself.
        let isHidden = peer.pid <= 0 || peer.uid != own || !ProcessFiles.areThere
        return failure.isAboutProcess && isHidden
            ? .unexaminable(reason: reason, confinedTo: nil) : .unbelievable(reason: reason)
    }

    /// With what flatpak says in the process's root.
    private static func examineRoot(
        _ files: ProcessFiles,
        of peer: Peer,
        _ groups: ControlGroups,
        own: UInt32
    ) throws(ProcessFiles.Failure) -> Caller.Process {
        var confinements = groups.confinements
        do throws(ProcessFiles.Failure) {
            if let info = try files.textAtRoot(flatpakInfo) {
                confinements.insert(FlatpakInfo.application(in: info) ?? "")
            }
        } catch {
            // Nothing keeps root out but the want of its capability, as in containers.
            guard own == 0, error.isRootForbidden else {
                throw error
            }
            return unexaminable(process(unit: groups.unit, confinements), reason(error, peer))
        }
        return process(unit: groups.unit, confinements)
    }

    /// What was found of a process that may have been another by then.
    private static func unheld(_ found: Caller.Process) -> Caller.Process {
        unexaminable(found, "The daemon cannot tell which process calls: this system lets no process be held.")
    }

    private static func unexaminable(_ found: Caller.Process, _ reason: String) -> Caller.Process {
        guard case .examined(_, let application) = found else {
            return found
        }
        return .unexaminable(reason: reason, confinedTo: application)
    }

    private static func reason(_ failure: ProcessFiles.Failure, _ peer: Peer) -> String {
        "The daemon cannot tell which process calls: /proc/\(peer.pid)/\(failure)."
    }

    private static func process(unit: String?, _ confinements: Set<String>) -> Caller.Process {
        guard let application = confinements.first else {
            return .examined(unit: unit, confinedTo: nil)
        }
        guard confinements.count == 1, Identifier.isValid(application) else {
            return .unbelievable(reason: "This process is in a sandbox that does not say for which application.")
        }
        return .examined(unit: unit, confinedTo: application)
    }

    private static let goneReason =
        "The process that connected has ended, so that nobody can tell who it was; connect from the process that calls."
}
