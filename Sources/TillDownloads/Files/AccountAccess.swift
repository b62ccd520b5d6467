import CSystemCalls
import Glibc
import TillModel

/// Grants exactly one user read access to a directory.
enum AccountAccess {
    /// Makes the directory the access barrier for its contents, whose modes allow access for everybody.
    ///
    /// For the daemon's own user the mode is sufficient. Another user gets an access list entry, and so cannot modify
    /// anything. If the file system has no access lists, root transfers the ownership instead.
    static func grant(_ directory: Directory, to user: uid_t) throws {
        guard user != geteuid() else {
            return try directory.setMode(0o700)
        }
        if !setList(directory, user) {
            try give(directory, to: user)
        }
    }

    /// Transfers the directory's ownership to the user, so that only that user can enter it.
    static func give(_ directory: Directory, to user: uid_t) throws {
        guard fchown(directory.descriptor.number, user, gid_t.max) == 0 else {
            throw DownloadError(
                .storage,
                """
                The content cannot be made accessible to user \(user). Use a content directory on a file system with access \
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
