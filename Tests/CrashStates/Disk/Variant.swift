/// Selects which unflushed changes are on the disk after the loss of power.
package struct Variant: Hashable, Sendable {
    /// Selects which bytes are on the disk.
    package enum Bytes: Hashable, Sendable {
        /// Only the flushed bytes.
        case flushed
        /// All completed writes, as a killed process leaves them.
        case written
        /// All completed writes, and those under way.
        case begun
        /// A random selection of sectors of this size.
        case sectors(Int)
    }

    /// Selects when a name is certain.
    package enum Names: String, Hashable, Sendable, CaseIterable {
        /// A name is certain only after its directory was flushed, as POSIX requires.
        case strict
        /// Names become certain in order when any file is flushed by fsync, as on a file system with a journal.
        case journal
    }

    package var bytes: Bytes
    package var names: Names
    /// Decides everything that depends on chance.
    package var seed: UInt64

    package init(_ bytes: Bytes, _ names: Names, seed: UInt64 = 0) {
        self.bytes = bytes
        self.names = names
        self.seed = seed
    }
}

extension Variant: LosslessStringConvertible {
    /// The text of the variant, for example `512,strict,7`.
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
