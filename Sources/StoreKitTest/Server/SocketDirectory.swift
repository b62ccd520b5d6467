import Foundation
import Glibc
import NIOConcurrencyHelpers

/// The directory with the sockets of this process's sessions. Other users cannot access it, and it is deleted when the
/// process exits.
final class SocketDirectory: Sendable {
    /// The maximum path length that leaves room in `sockaddr_un` for a socket's number (unix(7)).
    private static let pathMaximumBytes = 80

    private static let shared = NIOLockedValueBox<SocketDirectory?>(nil)

    private let path: String
    private let count = NIOLockedValueBox(0)

    private init(path: String) {
        self.path = path
    }

    /// Returns a path in the directory that no session has used.
    static func newPath() throws(SKTestError) -> String {
        let made = shared.withLockedValue { shared in
            shared = shared ?? make()
            return shared
        }
        guard let directory = made else {
            throw SKTestError(.serviceUnavailable, "Cannot create a directory for sockets.")
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
        // The path in /tmp is short enough.
        let directory = SocketDirectory(path: path.utf8.count <= pathMaximumBytes ? path : "/tmp/\(name)")
        guard unsafe mkdir(directory.path, 0o700) == 0 else {
            return nil
        }
        atexit { SocketDirectory.removeShared() }
        return directory
    }

    /// Sessions may outlive `main`, so their sockets are removed here too.
    private static func removeShared() {
        guard let directory = shared.withLockedValue({ $0 }) else {
            return
        }
        try? FileManager.default.removeItem(atPath: directory.path)
    }
}
