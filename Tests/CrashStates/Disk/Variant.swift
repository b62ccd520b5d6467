/// Which of the changes that were not flushed are on the disk after the power failed.
package struct Variant: Hashable, Sendable {
    /// What becomes of the bytes.
    package enum Bytes: Hashable, Sendable {
        /// Nothing more than what was flushed.
        case flushed
        /// Everything that was written: what a killed process leaves.
        case written
        /// Also what was being written.
        case begun
        /// By chance, sector by sector of this size.
        case sectors(Int)
    }

    /// When a name is certainly there.
    package enum Names: String, Hashable, Sendable, CaseIterable {
        /// Only once its directory was flushed, as POSIX has it.
        case strict
        /// Once any file was flushed by fsync, in the order of the changes, as a journal has it.
        case journal
    }

    package var bytes: Bytes
    package var names: Names
    /// Decides whatever is left to chance.
    package var seed: UInt64

    package init(_ bytes: Bytes, _ names: Names, seed: UInt64 = 0) {
        self.bytes = bytes
        self.names = names
        self.seed = seed
    }
}

extension Variant: LosslessStringConvertible {
    /// For example `512,strict,7`.
    package var description: String {
        let kind =
            switch bytes {
            case .flushed: "flushed"
            case .written: "written"
            case .begun: "begun"
            case .sectors(let size): "\(size)"
            }
        return "\(kind),\(names.rawValue),\(seed)"
    }

    package init?(_ description: String) {
        let parts = description.split(separator: ",").map(String.init)
        guard parts.count == 3, let names = Names(rawValue: parts[1]), let seed = UInt64(parts[2]) else {
            return nil
        }
        switch parts[0] {
        case "flushed": self.init(.flushed, names, seed: seed)
        case "written": self.init(.written, names, seed: seed)
        case "begun": self.init(.begun, names, seed: seed)
        default:
            guard let size = Int(parts[0]), size > 0 else {
                return nil
            }
            self.init(.sectors(size), names, seed: seed)
        }
    }
}
