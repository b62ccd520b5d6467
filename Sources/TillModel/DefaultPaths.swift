/// Where things are when nobody says otherwise, by the XDG Base Directory Specification for a user
/// (https://specifications.freedesktop.org/basedir-spec/latest/) and by the FHS for the system.
package struct DefaultPaths: Hashable, Sendable {
    package static let systemSocket = "/run/till/till.sock"
    package static let systemState = "/var/lib/till"
    package static let systemContent = "/var/cache/till"

    /// Nil for a user without `XDG_RUNTIME_DIR`.
    package var socket: String?
    /// Nil for a user with neither `XDG_STATE_HOME` nor `HOME`.
    package var state: String?
    /// Where hosted content is kept that other users than the daemon's own read; nil for a user, who has no such place.
    package var content: String?

    /// - Parameter isRoot: Whether the process runs as the system's administrator.
    package init(environment: [String: String], isRoot: Bool) {
        if isRoot {
            socket = Self.systemSocket
            state = Self.systemState
            content = Self.systemContent
        } else {
            socket = Self.absolute(environment["XDG_RUNTIME_DIR"]).map { "\($0)/till/till.sock" }
            state =
                Self.absolute(environment["XDG_STATE_HOME"]).map { "\($0)/till" }
                ?? Self.absolute(environment["HOME"]).map { "\($0)/.local/state/till" }
        }
    }

    /// Where a user's applications keep their data; nil for a user with neither `XDG_DATA_HOME` nor `HOME`.
    package static func data(environment: [String: String]) -> String? {
        absolute(environment["XDG_DATA_HOME"]) ?? absolute(environment["HOME"]).map { "\($0)/.local/share" }
    }

    /// The specification has relative paths ignored.
    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else {
            return nil
        }
        return path
    }
}
