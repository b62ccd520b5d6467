import Foundation

/// What memory a process has, by what the kernel says.
struct ProcessMemory {
    let residentMib: Int
    /// The most that ever was resident.
    let peakMib: Int

    init(of processID: Int32) throws {
        let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        func mebibytes(_ name: String) -> Int? {
            status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                .flatMap { Int($0.filter(\.isNumber)) }.map { $0 / 1024 }
        }
        guard let resident = mebibytes("VmRSS"), let peak = mebibytes("VmHWM") else {
            throw AttackFailure("process \(processID) has no memory to look at")
        }
        residentMib = resident
        peakMib = peak
    }
}
