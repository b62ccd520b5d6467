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

    static func caller(_ peer: Peer, _ process: PeerProcess?, own: UInt32 = geteuid()) -> Caller {
        var caller = Caller(peer)
        caller.groups.formUnion(process?.groups ?? [])
        // Whose root cannot be looked at for want of rights is judged by the control groups.
        let looksAtRoot = own == 0 || peer.uid == own
        let files = ProcessFiles(processID: peer.pid)
        guard let process else {
            caller.process = .unbelievable(reason: goneReason)
            return caller
        }
        let found = examine(files, of: peer, isFoundByNumber: process.isFoundByNumber, looksAtRoot: looksAtRoot)
        caller.process = process.isRunning ? found : .unbelievable(reason: goneReason)
        return caller
    }

    /// What the files say, whoever's they are.
    static func examine(
        _ files: ProcessFiles,
        of peer: Peer,
        isFoundByNumber: Bool,
        looksAtRoot: Bool
    ) -> Caller.Process {
        do {
            if isFoundByNumber {
                guard try files.users() == [UInt32](repeating: peer.uid, count: 4) else {
                    return .unbelievable(reason: "The process that connected is not who it was; connect again.")
                }
            }
            let groups = try files.controlGroups()
            var confinements = groups.confinements
            if looksAtRoot, let info = try files.textAtRoot(flatpakInfo) {
                confinements.insert(FlatpakInfo.application(in: info) ?? "")
            }
            return process(unit: groups.unit, confinements)
        } catch {
            return .unbelievable(reason: "The daemon cannot tell which process calls: /proc/\(peer.pid)/\(error).")
        }
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
