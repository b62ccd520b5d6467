import Foundation
import TillModel

/// How a client connects to its daemon.
public struct ClientConfiguration: Sendable {
    /// The bundle identifier of the application whose queue this is: 1 to 128 of `A-Z a-z 0-9 . _ : -`.
    public var application: String
    /// The daemon's Unix domain socket.
    public var socketPath: String
    /// The timeout of a call, including all retries.
    public var callTimeout = Duration.seconds(30)
    /// The timeout of a restore, from the call to its end.
    public var restoreTimeout = Duration.seconds(90)
    /// Whether to deliver only the newest of a subscription's unfinished renewals, with the count of older ones, which
    /// are finished with it. This suits an application that was away and needs only the current state.
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
