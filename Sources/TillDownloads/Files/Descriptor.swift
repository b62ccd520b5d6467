import Glibc

/// An open file or directory, closed when nobody needs it any more.
final class Descriptor: Sendable {
    let number: CInt

    /// - Parameter number: Of an open file, which belongs to this from now on.
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
