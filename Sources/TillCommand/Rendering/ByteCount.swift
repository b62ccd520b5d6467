/// A number of bytes, for people: 1.5 MB.
struct ByteCount: CustomStringConvertible {
    private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

    let bytes: Int64

    var description: String {
        guard bytes >= 1000 else {
            return "\(bytes) B"
        }
        // Tenths of the unit, rounded down, so that nothing seems whole before it is.
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit + 1 < Self.units.count {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
    }
}
