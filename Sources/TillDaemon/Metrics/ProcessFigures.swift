import Foundation
import Glibc
import TillMetrics

/// What the kernel says about the daemon's process (proc_pid_stat(5), proc_pid_statm(5)).
///
/// A figure that cannot be read is left out.
enum ProcessFigures {
    static func add(to families: inout MetricFamilies) {
        if let pages = fields(of: "/proc/self/statm").dropFirst().first.flatMap({ Int64($0) }) {
            families.add(.residentMemory, value: pages * Int64(sysconf(Int32(_SC_PAGESIZE))))
        }
        if let processorTime {
            families.add(.processorTime, value: processorTime)
        }
        if let startTime {
            families.add(.startTime, value: startTime)
        }
        if let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // Without the descriptor that reads the directory.
            families.add(.openFiles, value: max(0, names.count - 1))
        }
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            families.add(.openFilesMaximum, value: limit.rlim_cur)
        }
    }

    /// In seconds.
    private static var processorTime: Double? {
        var usage = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else {
            return nil
        }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// Unix time, in seconds. The kernel counts in ticks since the system started.
    private static let startTime: Double? = {
        // The second field is the program's name in parentheses, which may contain spaces and parentheses.
        let status = (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)) ?? ""
        let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
        let system = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let boot = system.split(separator: "\n").first { $0.hasPrefix("btime ") }?.dropFirst("btime ".count)
        // The 22nd field, of which the third is the first here.
        guard let ticks = fields.dropFirst(19).first.flatMap({ Double($0) }), let boot = boot.flatMap({ Double($0) })
        else {
            return nil
        }
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func fields(of path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ")
    }
}

/// The sizes of the ledger and of its disk. A figure that cannot be read is left out.
enum DiskFigures {
    static func add(_ state: StateDirectory, to families: inout MetricFamilies) {
        if let size = size(of: state.ledgerPath) {
            families.add(.ledgerSize, value: size)
        }
        if let size = size(of: "\(state.ledgerPath)-wal") {
            families.add(.ledgerLogSize, value: size)
        }
        var disk = statvfs()
        if unsafe statvfs(state.path, &disk) == 0 {
            families.add(.diskFree, value: Double(disk.f_bavail) * Double(disk.f_frsize))
            families.add(.diskSize, value: Double(disk.f_blocks) * Double(disk.f_frsize))
        }
    }

    private static func size(of path: String) -> Int64? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
