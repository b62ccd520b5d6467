public import FoundationEssentials

extension UUID {
    /// A new UUID of version 7 (RFC 9562, section 5.7): a millisecond clock, then random bits.
    ///
    /// Ids that increase with time are appended to the ledger's index instead of being scattered across it.
    public static func version7() -> UUID {
        var random = SystemRandomNumberGenerator()
        return version7(at: Date(), using: &random)
    }

    /// Creates a UUID of version 7 from a given time and source of randomness.
    package static func version7(at date: Date, using random: inout some RandomNumberGenerator) -> UUID {
        let milliseconds = UInt64(bitPattern: date.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0x0FFF, using: &random)
        let low = 1 << 63 | UInt64.random(in: 0...(1 << 62 - 1), using: &random)
        return UUID(high: high, low: low)
    }

    package init(high: UInt64, low: UInt64) {
        let bytes =
            (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
        self = UUID(bytes: bytes) ?? UUID()
    }

    /// The UUID of 16 bytes, big-endian as RFC 9562 prints them; nil for any other number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else {
            return nil
        }
        let b = Array(bytes)
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }

    /// The 16 bytes, big-endian as RFC 9562 prints them.
    package var bytes: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// Refuses the UUIDs whose bits are all 0 or all 1 (RFC 9562, sections 5.9 and 5.10), which are not unique: a
    /// client that forgot to create one sends them.
    ///
    /// - Parameter thing: The object of the id, for example "payment".
    /// - Throws: `invalidArgument` with the object's name.
    package func validate(asIdentityOf thing: String) throws(TillError) {
        guard let first = bytes.first, first == 0 || first == .max, bytes.allSatisfy({ $0 == first }) else {
            return
        }
        throw TillError(.invalidArgument, "Invalid \(thing) identity \(text): create a new UUID for each \(thing).")
    }

    /// The UUID in lower case, as logs, the command line and receipts print it.
    package var text: String {
        uuidString.lowercased()
    }
}

extension Date {
    /// Creates a date from milliseconds, the unit of the wire and the ledger.
    package init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The date in milliseconds, rounded and clamped to the range of `Int64`.
    package var millisecondsSince1970: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    /// The date with the precision of the wire and the ledger.
    package var roundedToMilliseconds: Date {
        Date(millisecondsSince1970: millisecondsSince1970)
    }
}
