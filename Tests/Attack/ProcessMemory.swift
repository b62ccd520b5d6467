import Foundation

/// The memory of a process, as the kernel reports it.
struct ProcessMemory {
    let residentMib: Int
    /// The peak resident memory.
    let peakMib: Int

    init(of processID: Int32) throws {
        let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        func mebibytes(_ name: String) -> Int? {
            status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                .flatMap { Int($0.filter(\.isNumber)) }.map { $0 / 1024 }
        }
        guard let resident = mebibytes("VmRSS"), let peak = mebibytes("VmHWM") else {
            throw AttackFailure("process \(processID) does not report its memory")
        }
        residentMib = resident
        peakMib = peak
    }
}
