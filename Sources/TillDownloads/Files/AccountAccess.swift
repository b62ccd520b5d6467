import CSystemCalls
import Glibc
import TillModel

/// Lets one user read a directory of ours, and nobody else.
enum AccountAccess {
    /// Makes the directory the gate to all that is in it, which has modes for everybody.
    ///
    /// The daemon's own user needs nothing more than the mode. Another gets an entry in the access list, and so cannot
    /// change anything; where the file system has no such lists, root gives the directory away instead.
    static func grant(_ directory: Directory, to user: uid_t) throws {
        guard user != geteuid() else {
            return try directory.setMode(0o700)
        }
        if !setList(directory, user) {
            try give(directory, to: user)
        }
    }

    /// Makes the directory the user's own, so that only it can enter.
    static func give(_ directory: Directory, to user: uid_t) throws {
        guard fchown(directory.descriptor.number, user, gid_t.max) == 0 else {
            throw DownloadError(
                .storage,
                """
                The content cannot be handed to user \(user). Keep the content directory on a file system with access \
                lists, or run the daemon as that user or as root.
                """
            )
        }
        try directory.setMode(0o500)
    }

    private static func setList(_ directory: Directory, _ user: uid_t) -> Bool {
        let list = AccessList(reader: user).bytes
        return unsafe till_set_access_list(directory.descriptor.number, list, list.count) == 0
    }
}
