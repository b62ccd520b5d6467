package import ArgumentParser
import TillClient
import TillModel

/// The options of every verb; they may stand before it and after it.
package struct CommonOptions: ParsableArguments {
    /// How long the daemon may take to be reached and to answer.
    package static let callTimeout = Duration.seconds(3)
    /// Longer than any daemon lets a restore run.
    package static let restoreTimeout = Duration.seconds(3700)

    /// What fits `sockaddr_un` with its final NUL (unix(7)).
    private static let socketPathMaximumBytes = 107

    @Option(
        help: ArgumentHelp(
            "The daemon's socket.",
            discussion: "By default $TILL_SOCKET, else the user's own daemon's, else the system's.",
            valueName: "path"
        ),
        completion: .file()
    )
    package var socket: String?

    @Option(
        help: ArgumentHelp(
            "The bundle identifier of the application whose queue it is.",
            discussion: "By default $TILL_APPLICATION.",
            valueName: "id"
        )
    )
    package var application: String?

    @Flag(help: "Print one JSON object a line; till(1) lists the keys.")
    package var json = false

    package init() {}

    package func validate() throws {
        if let application, !Identifier.isValid(application) {
            throw ValidationError(Self.rule("--application"))
        }
        if let socket, socket.isEmpty {
            throw ValidationError("--socket needs the path of a socket.")
        }
    }

    /// The application that the options or the environment name.
    ///
    /// - Parameter fallback: That of a verb that concerns no queue.
    func application(_ console: Console, fallback: String? = nil) throws(CommandFailure) -> String {
        guard let application = try namedApplication(console) ?? fallback else {
            throw CommandFailure(.usage, "Name the application with --application or in TILL_APPLICATION.")
        }
        return application
    }

    /// The application that the options or the environment name, if they name one.
    func namedApplication(_ console: Console) throws(CommandFailure) -> String? {
        let ambient = console.environment["TILL_APPLICATION"].flatMap { $0.isEmpty ? nil : $0 }
        guard let application = application ?? ambient else {
            return nil
        }
        guard Identifier.isValid(application) else {
            throw CommandFailure(.usage, Self.rule("TILL_APPLICATION"))
        }
        return application
    }

    /// How to reach the daemon that the options and the environment name.
    func configuration(application: String) throws(CommandFailure) -> ClientConfiguration {
        var configuration = ClientConfiguration(application: application, socketPath: socket)
        guard configuration.socketPath.utf8.count <= Self.socketPathMaximumBytes else {
            let rule = "is longer than \(Self.socketPathMaximumBytes) bytes"
            throw CommandFailure(.usage, "The socket's path \(rule): \(configuration.socketPath)")
        }
        configuration.callTimeout = Self.callTimeout
        configuration.restoreTimeout = Self.restoreTimeout
        return configuration
    }

    private static func rule(_ name: String) -> String {
        "\(name) must be 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
    }
}
