import Glibc
import TTRPC
import TillModel
import TillService

/// Identifies a process that has connected: its system service and its sandbox.
///
/// The kernel has reported the user, and a descriptor holds the process. Then `/proc` is read by the process's number. The
/// result counts only if the process still runs afterwards, because only then did the number belong to it all the time.
enum CallerInspection {
    /// The file in each flatpak sandbox that names the sandbox's application.
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

    /// The result for a process that cannot be held.
    static func process(that failure: PeerProcess.Failure) -> Caller.Process {
        switch failure {
        case .ended:
            return .unbelievable(reason: goneReason)
        case .unknown(let code):
            let reason = unsafe "The daemon cannot identify the calling process: \(String(cString: strerror(code)))."
            guard SystemShortage.isPassing(code) else {
                return .unbelievable(reason: reason)
            }
            return .unknownYet(reason: "\(reason) Try again later.")
        }
    }

    /// The result of the files, which may belong to another process.
    static func examine(
        _ files: ProcessFiles,
        of peer: Peer,
        isFoundByNumber: Bool,
        own: UInt32
    ) -> Caller.Process {
        do throws(ProcessFiles.Failure) {
            if isFoundByNumber {
                guard try files.users() == [UInt32](repeating: peer.uid, count: 4) else {
                    return .unbelievable(reason: "The process that connected has changed its user: connect again.")
                }
            }
            let groups = try files.controlGroups()
            // The daemon may not read the root of other users' processes, so only the control groups count.
            guard own == 0 || peer.uid == own else {
                return process(unit: groups.unit, groups.confinements)
            }
            return try examineRoot(files, of: peer, groups, own: own)
        } catch {
            return process(that: error, hides: peer, own: own)
        }
    }

    /// The result for a process that cannot be examined.
    static func process(that failure: ProcessFiles.Failure, hides peer: Peer, own: UInt32) -> Caller.Process {
        let reason = reason(failure, peer)
        guard !failure.isPassing else {
            return .unknownYet(reason: "\(reason) Try again later.")
        }
        // A process of the daemon's own user may have caused the failure itself, because it can hide.
        let isHidden = peer.pid <= 0 || peer.uid != own || !ProcessFiles.areMounted
        return failure.isAboutProcess && isHidden
            ? .unexaminable(reason: reason, confinedTo: nil) : .unbelievable(reason: reason)
    }

    /// The result with flatpak's file in the process's root.
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
            // Root is refused only if it lacks the capability, as in containers.
            guard own == 0, error.isRootForbidden else {
                throw error
            }
            return unexaminable(process(unit: groups.unit, confinements), reason(error, peer))
        }
        return process(unit: groups.unit, confinements)
    }

    /// The result for a process whose number may have been reused before it was examined.
    private static func unheld(_ found: Caller.Process) -> Caller.Process {
        unexaminable(found, "The daemon cannot identify the calling process: this system has no process descriptors.")
    }

    private static func unexaminable(_ found: Caller.Process, _ reason: String) -> Caller.Process {
        guard case .examined(_, let application) = found else {
            return found
        }
        return .unexaminable(reason: reason, confinedTo: application)
    }

    private static func reason(_ failure: ProcessFiles.Failure, _ peer: Peer) -> String {
        "The daemon cannot identify the calling process: /proc/\(peer.pid)/\(failure)."
    }

    private static func process(unit: String?, _ confinements: Set<String>) -> Caller.Process {
        guard let application = confinements.first else {
            return .examined(unit: unit, confinedTo: nil)
        }
        guard confinements.count == 1, Identifier.isValid(application) else {
            return .unbelievable(reason: "This process is in a sandbox that does not name its application.")
        }
        return .examined(unit: unit, confinedTo: application)
    }

    private static let goneReason =
        "The process that connected has ended, so the daemon cannot identify it: connect from the process that calls."
}
