import Foundation
import Glibc
import NIOConcurrencyHelpers

/// The directory of this process that holds the sockets of its sessions. Nobody else can look into it, and it is gone
/// when the process exits.
final class SocketDirectory: Sendable {
    /// The longest path that leaves room in `sockaddr_un` for a socket's number (unix(7)).
    private static let pathMaximumBytes = 80

    private static let shared = NIOLockedValueBox<SocketDirectory?>(nil)

    private let path: String
    private let count = NIOLockedValueBox(0)

    private init(path: String) {
        self.path = path
    }

    /// A path in the directory that no session has used.
    static func newPath() throws(SKTestError) -> String {
        let made = shared.withLockedValue { shared in
            shared = shared ?? make()
            return shared
        }
        guard let directory = made else {
            throw SKTestError(.serviceUnavailable, "Cannot make a directory for sockets.")
        }
        let number = directory.count.withLockedValue { count in
            count += 1
            return count
        }
        return "\(directory.path)/\(number)"
    }

    private static func make() -> SocketDirectory? {
        let name = "till-\(UUID().uuidString.prefix(8).lowercased())"
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        // The system's own is short enough.
        let directory = SocketDirectory(path: path.utf8.count <= pathMaximumBytes ? path : "/tmp/\(name)")
        guard unsafe mkdir(directory.path, 0o700) == 0 else {
            return nil
        }
        atexit { SocketDirectory.removeShared() }
        return directory
    }

    /// Sessions may outlive `main`, hence their sockets are removed too.
    private static func removeShared() {
        guard let directory = shared.withLockedValue({ $0 }) else {
            return
        }
        try? FileManager.default.removeItem(atPath: directory.path)
    }
}
