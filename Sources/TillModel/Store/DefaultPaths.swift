/// The default paths, according to the XDG Base Directory Specification for a user
/// (https://specifications.freedesktop.org/basedir-spec/latest/) and by the FHS for the system.
package struct DefaultPaths: Hashable, Sendable {
    package static let systemSocket = "/run/till/till.sock"
    package static let systemState = "/var/lib/till"
    package static let systemContent = "/var/cache/till"

    /// Nil for a user without `XDG_RUNTIME_DIR`.
    package var socket: String?
    /// Nil for a user with neither `XDG_STATE_HOME` nor `HOME`.
    package var state: String?
    /// The directory of hosted content that users other than the daemon's can read; nil for a user's daemon, which has
    /// none.
    package var content: String?

    /// - Parameter isRoot: Whether the process runs as root.
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

    /// The data directory of a user's applications; nil for a user with neither `XDG_DATA_HOME` nor `HOME`.
    package static func data(environment: [String: String]) -> String? {
        absolute(environment["XDG_DATA_HOME"]) ?? absolute(environment["HOME"]).map { "\($0)/.local/share" }
    }

    /// The configuration of a user's own daemon; nil for a user with neither `XDG_CONFIG_HOME` nor `HOME`.
    package static func configuration(environment: [String: String]) -> String? {
        let directory =
            absolute(environment["XDG_CONFIG_HOME"]) ?? absolute(environment["HOME"]).map { "\($0)/.config" }
        return directory.map { "\($0)/till/tilld.json" }
    }

    /// Returns the path if it is absolute; the specification requires relative paths to be ignored.
    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else {
            return nil
        }
        return path
    }
}

/// The version of the programs.
package enum TillVersion {
    package static let text = "0.1.0"
}
