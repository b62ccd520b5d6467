import Foundation
import Glibc
import TTRPC
import Testing
import TillService
@testable import TillDaemon

@Suite struct CallerInspectionTests {
    @Test(arguments: [
        ("0::/system.slice/kiosk.service\n", "kiosk.service"),
        ("0::/system.slice/kiosk.service/worker\n", "kiosk.service"),
        ("0::/system.slice/system-kiosk.slice/kiosk@1.service\n", "kiosk@1.service"),
        ("1:name=systemd:/system.slice/kiosk.service\n0::/\n", "kiosk.service"),
        ("0::/\n", nil),
        ("", nil),
        ("0::/system.slice\n", nil),
        ("0::/system.slice/kiosk.service (deleted)\n", nil),
        ("0::/system.slice/kiosk.scope/kiosk.service\n", nil),
        ("0::/user.slice/user-1000.slice/user@1000.service/kiosk.service\n", nil),
        ("0::/user.slice/system.slice/kiosk.service\n", nil),
        ("0::/../system.slice/kiosk.service\n", nil),
        ("4:memory:/system.slice/kiosk.service\n", nil),
        ("0:system.slice/kiosk.service\n", nil),
        ("0::/other:/system.slice/kiosk.service\n", nil),
    ])
    func aUnitIsWhatLiesBelowTheSystemsSlice(_ text: String, _ unit: String?) {
        #expect(ControlGroups(text).unit == unit)
    }

    @Test(
        arguments: [
            ("0::/user.slice/snap.notes.editor-1234.scope\n", ["snap.notes"]),
            ("0::/system.slice/snap.notes.server.service\n", ["snap.notes"]),
            ("6:freezer:/snap.notes.editor\n0::/\n", ["snap.notes"]),
            ("6:freezer:/snap.notes.editor\n0::/snap.games.x\n", ["snap.games", "snap.notes"]),
            ("0::/app.slice/app-flatpak-org.example.Notes-4711.scope\n", ["org.example.Notes"]),
            (#"0::/app.slice/app-flatpak-org.example.my\x2dnotes-4711.scope"#, ["org.example.my-notes"]),
            ("0::/app.slice/app-flatpak-4711.scope\n", [""]),
            ("0::/app.slice/app-gnome-org.example.Notes-4711.scope\n", []),
            ("0::/snap.notes\n0::/snapx.notes.y\n", []),
        ] as [(String, [String])]
    )
    func sandboxesNameTheirApplicationInTheirGroups(_ text: String, _ applications: [String]) {
        #expect(ControlGroups(text).confinements.sorted() == applications)
    }

    @Test(arguments: [
        ("[Application]\nname=org.example.Notes\nruntime=x\n", "org.example.Notes"),
        ("[Instance]\nname=x\n[Application]\nname=org.example.Notes\n", "org.example.Notes"),
        ("[Runtime]\nname=org.example.Platform\n", nil),
        ("[Application]\nname=a\nname=b\n", nil),
        ("[Application]\nname=a\n[Application]\nname=b\n", nil),
        ("name=a\n", nil),
        ("", nil),
    ])
    func flatpakNamesOneApplication(_ text: String, _ application: String?) {
        #expect(FlatpakInfo.application(in: text) == application)
    }

    @Test func thisProcessIsNotInASandbox() {
        let process = examine(ProcessFiles(processID: getpid()), own: geteuid())
        guard case .examined(_, let confinement) = process else {
            Issue.record("\(process)")
            return
        }
        #expect(confinement == nil)
    }

    @Test func aProcessThatIsGoneIsNotBelieved() {
        let peer = Peer(uid: geteuid(), gid: getegid(), pid: getpid(), connectionID: 1)
        guard case .unbelievable(let reason) = CallerInspection.caller(peer, .failure(.ended)).process else {
            Issue.record("It was believed.")
            return
        }
        #expect(reason.contains("has ended"))
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EINTR, EIO])
    func aProcessThatCannotBeHeldTemporarilyHasNotEnded(_ code: CInt) {
        let peer = Peer(uid: geteuid(), gid: getegid(), pid: getpid(), connectionID: 1)
        let caller = CallerInspection.caller(peer, .failure(.unknown(errno: code)))
        guard case .unknownYet(let reason) = caller.process else {
            Issue.record("\(caller.process)")
            return
        }
        #expect(!reason.contains("has ended") && reason.hasSuffix("Try again later."))
    }

    @Test(arguments: [EACCES, EPERM, ENOTSOCK])
    func aProcessThatTheKernelNeverShowsIsRefusedWithTheReason(_ code: CInt) {
        let peer = Peer(uid: geteuid(), gid: getegid(), pid: getpid(), connectionID: 1)
        let caller = CallerInspection.caller(peer, .failure(.unknown(errno: code)))
        guard case .unbelievable(let reason) = caller.process else {
            Issue.record("\(caller.process)")
            return
        }
        #expect(!reason.contains("has ended") && reason.contains("cannot identify the calling process"))
    }

    /// No process has this number. A process of the own user can hide where `/proc` is hidden.
    @Test func aProcessOfTheOwnUserThatCannotBeReadIsNotBelieved() {
        guard case .unbelievable(let reason) = examine(ProcessFiles(processID: .max), own: geteuid()) else {
            Issue.record("It was believed.")
            return
        }
        #expect(reason.contains("cannot identify the calling process"))
    }

    /// The kernel shows process 0 for processes of other namespaces (unix(7)). Another user's process is hidden only by
    /// `/proc` (proc(5), hidepid).
    @Test(arguments: [(Int32(0), geteuid()), (.max, geteuid() + 1)])
    func aProcessThatIsHiddenCannotBeExamined(_ number: Int32, _ user: UInt32) {
        let peer = Peer(uid: user, gid: getegid(), pid: number, connectionID: 1)
        let files = ProcessFiles(processID: number)
        let found = CallerInspection.examine(files, of: peer, isFoundByNumber: false, own: geteuid())
        guard case .unexaminable(let reason, confinedTo: nil) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(reason.contains("cannot identify the calling process"))
    }

    /// A client that exhausts the daemon's descriptors must not leave its sandbox by this, and an innocent application must
    /// not be refused permanently.
    @Test(arguments: [EMFILE, ENFILE, ENOMEM, EIO], [geteuid(), geteuid() + 1])
    func aTemporaryReadFailureIsNotFinal(_ code: CInt, _ user: UInt32) {
        let peer = Peer(uid: user, gid: getegid(), pid: getpid(), connectionID: 1)
        let failure = ProcessFiles.Failure.unreadable("cgroup", errno: code)
        guard case .unknownYet(let reason) = CallerInspection.process(that: failure, hides: peer, own: geteuid()) else {
            Issue.record("It was taken for known.")
            return
        }
        #expect(reason.contains("cannot identify the calling process") && reason.hasSuffix("Try again later."))
    }

    @Test func aReusedNumberIsNotBelieved() {
        guard case .unbelievable = examine(ProcessFiles(processID: getpid()), own: geteuid() + 1) else {
            Issue.record("It was believed.")
            return
        }
    }

    private func examine(_ files: ProcessFiles, own uid: UInt32) -> Caller.Process {
        let peer = Peer(uid: uid, gid: getegid(), pid: getpid(), connectionID: 1)
        return CallerInspection.examine(files, of: peer, isFoundByNumber: true, own: uid)
    }
}
