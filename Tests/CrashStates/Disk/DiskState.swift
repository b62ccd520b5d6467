import Glibc

/// What lies in the state directory after the power failed.
package struct DiskState: Hashable, Sendable {
    package enum Item: Hashable, Sendable {
        case directory
        case file([UInt8])

        /// Nil for a directory.
        package var bytes: [UInt8]? {
            if case .file(let bytes) = self { bytes } else { nil }
        }

        package static func == (one: Item, other: Item) -> Bool {
            guard let bytes = one.bytes, let others = other.bytes else {
                return one.bytes == nil && other.bytes == nil
            }
            return unsafe bytes.count == others.count && memcmp(bytes, others, bytes.count) == 0
        }

        /// Of the length and the end, where a log differs from what it was: all of a file costs more than checking it.
        package func hash(into hasher: inout Hasher) {
            unsafe bytes?.withUnsafeBytes { bytes in
                hasher.combine(bytes.count)
                unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.suffix(Self.hashedMaximum)))
            }
        }

        private static let hashedMaximum = 8_192
    }

    /// By the path below the state directory; every directory comes before what is in it.
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

    /// Writes it below a directory, which is empty, for its owner alone.
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
