import Glibc

/// An open file or directory, closed when the last reference is released.
final class Descriptor: Sendable {
    let number: CInt

    /// - Parameter number: The descriptor of an open file; ownership is transferred.
    init(owning number: CInt) {
        self.number = number
    }

    deinit {
        close(number)
    }

    func status() -> stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
}
