import Foundation
import TillModel

/// How a client reaches its daemon.
public struct ClientConfiguration: Sendable {
    /// The bundle identifier of the application whose queue this is: 1 to 128 of `A-Z a-z 0-9 . _ : -`.
    public var application: String
    /// The daemon's Unix domain socket.
    public var socketPath: String
    /// How long a call may take, with all its attempts to reach the daemon.
    public var callTimeout = Duration.seconds(30)
    /// How long a restore may take from the call to its end.
    public var restoreTimeout = Duration.seconds(90)
    /// Of a subscription's unfinished renewals only the newest is delivered, with the count of those it stands for, and
    /// finishing it finishes them: for an application that was away, and needs to know what holds now.
    public var collapsesRenewals = false

    /// - Parameters:
    ///   - application: The bundle identifier.
    ///   - socketPath: The daemon's socket; nil for the one that `TILL_SOCKET` names, else the user's own daemon's in
    ///     `$XDG_RUNTIME_DIR/till/till.sock` if it is there, else the system's in `/run/till/till.sock`.
    public init(application: String, socketPath: String? = nil) {
        self.application = application
        self.socketPath = socketPath ?? Self.defaultSocketPath(ProcessInfo.processInfo.environment)
    }

    static func defaultSocketPath(_ environment: [String: String]) -> String {
        if let path = environment["TILL_SOCKET"], !path.isEmpty {
            return path
        }
        guard let own = DefaultPaths(environment: environment, isRoot: false).socket,
            FileManager.default.fileExists(atPath: own)
        else {
            return DefaultPaths.systemSocket
        }
        return own
    }
}
