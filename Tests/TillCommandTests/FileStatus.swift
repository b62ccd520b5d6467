import Glibc
import Testing

/// The status of a path. A link is not followed.
struct FileStatus {
    let mode: mode_t
    let owner: uid_t
    let node: ino_t

    init(_ path: String) throws {
        var status = stat()
        try #require(unsafe lstat(path, &status) == 0)
        mode = status.st_mode
        owner = status.st_uid
        node = status.st_ino
    }

    var type: mode_t {
        mode & S_IFMT
    }
}
