extension PendingChanges {
    /// The file's bytes on the disk if each sector has the content of some moment since the flush, independently of the
    /// other sectors.
    ///
    /// The length is also that of some moment. A truncated file keeps its old bytes or gets the bytes written after the
    /// truncation, never both.
    ///
    /// - Parameter file: Distinguishes files for chance.
    func bytes(sectorSize: Int, file: Int, chance: Chance) -> [UInt8] {
        guard !items.isEmpty else {
            return flushed
        }
        let lengthCount = pick(chance, file, -1)
        var bytes = flushed
        var length = flushed.count
        for (index, item) in items.enumerated() {
            let isKept = index < lengthCount
            switch item.change {
            case .write(let offset, let new):
                writeSectors(new, at: offset, to: &bytes, size: sectorSize) { pick(chance, file, $0) > index }
                length = isKept ? max(length, offset + new.count) : length
            case .resize(let newLength):
                guard isKept else {
                    return Self.cut(bytes, to: length)
                }
                Self.resize(&bytes, to: newLength)
                length = newLength
            case .extend(let newLength):
                length = isKept ? max(length, newLength) : length
            }
        }
        return Self.cut(bytes, to: length)
    }

    /// The number of changes that have reached a sector or the length: mostly all or none, because disks keep any
    /// proportion of sectors.
    private func pick(_ chance: Chance, _ file: Int, _ place: Int) -> Int {
        let eighths = [1, 4, 7][chance.below(3, file, -2)]
        if chance.below(8, file, place, 2) == 0 {
            return chance.below(items.count + 1, file, place, 1)
        }
        return chance.below(8, file, place, 0) < eighths ? items.count : 0
    }

    private func writeSectors(
        _ new: [UInt8],
        at offset: Int,
        to bytes: inout [UInt8],
        size: Int,
        isKept: (Int) -> Bool
    ) {
        var start = offset
        while start < offset + new.count {
            let sector = start / size
            let end = min((sector + 1) * size, offset + new.count)
            if isKept(sector) {
                Self.write(new[(start - offset)..<(end - offset)], at: start, to: &bytes)
            }
            start = end
        }
    }

    private static func cut(_ bytes: [UInt8], to length: Int) -> [UInt8] {
        var bytes = bytes
        resize(&bytes, to: length)
        return bytes
    }
}
