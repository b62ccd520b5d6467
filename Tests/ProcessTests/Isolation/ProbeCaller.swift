import Foundation
import Glibc
import ProcessTesting

/// A kind of process that probes a daemon.
enum ProbeCaller: Hashable, Sendable {
    case user(UInt32, groups: [UInt32] = [])
    /// The process has its own mount namespace, whose root has the text of flatpak's `/.flatpak-info`.
    case sandboxed(info: String)
    /// The process is in the control group of a system service.
    case unit(String, user: UInt32)

    static let ownUser = ProbeCaller.user(geteuid())

    /// Whether this process may create namespaces for others.
    static let canSandbox = geteuid() == 0 && run("/usr/bin/unshare", ["--mount", "/bin/true"])
    /// The root of version 2 of control groups, if this process may create groups.
    static let controlGroups: String? = {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        let found = mounts.split(separator: "\n").map { $0.split(separator: " ") }.first {
            $0.count > 2 && $0[2] == "cgroup2"
        }
        return geteuid() == 0 ? found.map { String($0[1]) } : nil
    }()

    /// The command that starts `command` as this caller. All callers except ``ownUser`` require root.
    func starting(_ command: [String], at site: Site) throws -> [String] {
        switch self {
        case .ownUser:
            return command
        case .user(let uid, let groups):
            let list = groups.map(String.init).joined(separator: ",")
            return ["/usr/bin/setpriv", "--reuid=\(uid)", "--regid=\(uid)"]
                + [groups.isEmpty ? "--clear-groups" : "--groups=\(list)"] + command
        case .sandboxed(let info):
            let path = site.path("flatpak-info")
            try Data(info.utf8).write(to: URL(filePath: path))
            let root = site.path("root")
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            return ["/usr/bin/unshare", "--mount", "/bin/sh", "-ec", Self.sandbox, "sandbox", root, path] + command
        case .unit(let unit, let user):
            let group = "\(Self.controlGroups ?? "")/system.slice/\(unit)"
            try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: true)
            let setting = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
            return ["/bin/sh", "-ec", #"echo $$ > "$0/cgroup.procs"; exec "$@""#, group] + setting + command
        }
    }

    /// Makes a root with everything in the real root, and the file.
    private static let sandbox = #"""
        root=$1; info=$2; shift 2
        mount -t tmpfs none "$root"
        for entry in /*; do
            if [ -L "$entry" ]; then cp -a "$entry" "$root/"
            elif [ -d "$entry" ]; then mkdir "$root$entry"; mount --rbind "$entry" "$root$entry"
            fi
        done
        cp "$info" "$root/.flatpak-info"
        exec chroot "$root" "$@"
        """#

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        guard (try? process.run()) != nil else {
            return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
