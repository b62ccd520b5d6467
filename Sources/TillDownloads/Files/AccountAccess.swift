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

/// An access list with full access for the owner, read and traverse access for one other user, and no access for anyone
/// else (acl(5)).
struct AccessList: Hashable, Sendable {
    /// The version of the kernel's format: the version is followed by a tag, permissions and an id for each entry, in
    /// this order (https://man7.org/linux/man-pages/man5/acl.5.html).
    private static let version: UInt32 = 2
    private static let nobody = UInt32.max

    private enum Tag: UInt16 {
        case owner = 0x01
        case user = 0x02
        case group = 0x04
        case mask = 0x10
        case others = 0x20
    }

    var reader: UInt32

    var bytes: [UInt8] {
        Self.littleEndian(Self.version) + entry(.owner, 7) + entry(.user, 5, reader) + entry(.group, 0)
            + entry(.mask, 5) + entry(.others, 0)
    }

    private func entry(_ tag: Tag, _ permissions: UInt16, _ identifier: UInt32 = nobody) -> [UInt8] {
        Self.littleEndian(tag.rawValue) + Self.littleEndian(permissions) + Self.littleEndian(identifier)
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

/// Maps accounts to users of the machine.
package enum AccountUser {
    /// The user of an account such as `uid:1000`; nil for other accounts.
    package static let ofAccount: @Sendable (String) -> UInt32? = { account in
        guard account.hasPrefix("uid:"), let user = UInt32(account.dropFirst(4)), account == "uid:\(user)" else {
            return nil
        }
        // The highest number does not denote a user (chown(2)).
        return user == .max ? nil : user
    }
}
