import Glibc

/// The content of the state directory after a loss of power.
package struct DiskState: Hashable, Sendable {
    package enum Item: Hashable, Sendable {
        case directory
        case file([UInt8])

        /// The bytes of a file; nil for a directory.
        package var bytes: [UInt8]? {
            if case .file(let bytes) = self { bytes } else { nil }
        }

        package static func == (one: Item, other: Item) -> Bool {
            guard let bytes = one.bytes, let others = other.bytes else {
                return one.bytes == nil && other.bytes == nil
            }
            return unsafe bytes.count == others.count && memcmp(bytes, others, bytes.count) == 0
        }

        /// Hashes the length and the end before the zeros that fill a log, where versions of a log differ. Hashing a
        /// whole file costs more than checking its state.
        package func hash(into hasher: inout Hasher) {
            unsafe bytes?.withUnsafeBytes { bytes in
                hasher.combine(bytes.count)
                var end = bytes.count
                while end >= Self.zeros.count,
                    let place = unsafe bytes.baseAddress?.advanced(by: end - Self.zeros.count),
                    unsafe memcmp(place, Self.zeros, Self.zeros.count) == 0
                {
                    end -= Self.zeros.count
                }
                let used = unsafe bytes.prefix(end).suffix(Self.hashedMaximum)
                unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: used))
            }
        }

        private static let hashedMaximum = 8_192
        private static let zeros = [UInt8](repeating: 0, count: 4_096)
    }

    /// The items by their path below the state directory. Each directory precedes its content.
    package var items: [(path: String, item: Item)]

    package init(items: [(path: String, item: Item)] = []) {
        self.items = items
    }

    package static func == (one: DiskState, other: DiskState) -> Bool {
        one.items.elementsEqual(other.items) { $0.path == $1.path && $0.item == $1.item }
    }

    package func hash(into hasher: inout Hasher) {
        for (path, item) in items {
            hasher.combine(path)
            hasher.combine(item)
        }
    }

    package subscript(path: String) -> [UInt8]? {
        for (itemPath, item) in items where itemPath == path {
            if let bytes = item.bytes {
                return bytes
            }
        }
        return nil
    }

    /// Writes the state into an empty directory, accessible only to its owner.
    package func write(to directory: String) throws {
        for (path, item) in items {
            let place = "\(directory)/\(path)"
            switch item {
            case .directory:
                guard unsafe mkdir(place, 0o700) == 0 else {
                    throw TraceError("Cannot make the directory \(place).")
                }
            case .file(let bytes):
                try Self.write(bytes, to: place)
            }
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw TraceError("Cannot make the file \(path).")
        }
        defer { close(file) }
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw TraceError("Cannot write the file \(path).")
        }
    }
}
