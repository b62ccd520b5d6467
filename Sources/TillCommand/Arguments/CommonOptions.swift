package import ArgumentParser
import TillClient
import TillModel

/// The options of every verb, before or after its name.
package struct CommonOptions: ParsableArguments {
    /// The time limit for connecting to the daemon and for its answer.
    package static let callTimeout = Duration.seconds(3)
    /// The time limit for a restore. It exceeds the longest restore that a daemon allows.
    package static let restoreTimeout = Duration.seconds(3700)

    /// The longest path that fits `sockaddr_un` with its final NUL (unix(7)).
    private static let socketPathMaximumBytes = 107

    @Option(
        help: ArgumentHelp(
            "The daemon's socket.",
            discussion: "Default: $TILL_SOCKET, then the socket of your own daemon, then the system's.",
            valueName: "path"
        ),
        completion: .file()
    )
    package var socket: String?

    @Option(
        help: ArgumentHelp(
            "The bundle identifier of the queue's application.",
            discussion: "Default: $TILL_APPLICATION.",
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
            throw ValidationError("Empty --socket: use the path of a socket.")
        }
    }

    /// The application that the options or the environment name.
    ///
    /// - Parameter fallback: The application for verbs that use no queue.
    func application(_ console: Console, fallback: String? = nil) throws(CommandFailure) -> String {
        guard let application = try namedApplication(console) ?? fallback else {
            throw CommandFailure(.usage, "No application: use --application or set TILL_APPLICATION.")
        }
        return application
    }

    /// The application that the options or the environment name, or nil.
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

    /// The configuration for the daemon that the options and the environment name.
    func configuration(application: String) throws(CommandFailure) -> ClientConfiguration {
        var configuration = ClientConfiguration(application: application, socketPath: socket)
        guard configuration.socketPath.utf8.count <= Self.socketPathMaximumBytes else {
            let limit = "must be at most \(Self.socketPathMaximumBytes) bytes"
            throw CommandFailure(.usage, "The socket's path \(limit): \(configuration.socketPath)")
        }
        configuration.callTimeout = Self.callTimeout
        configuration.restoreTimeout = Self.restoreTimeout
        return configuration
    }

    private static func rule(_ name: String) -> String {
        "Invalid \(name): use 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
    }
}

/// The reason for a change, which the audit log records.
struct ReasonOption: ParsableArguments {
    /// The longest reason, in bytes of UTF-8.
    static let bytesMaximum = 256
    /// The recorded reason if the user gives none.
    static let absent = "none given"

    @Option(
        name: .customLong("reason"),
        help: ArgumentHelp("The reason to record, 1 to \(bytesMaximum) bytes.", valueName: "text")
    )
    var text: String?

    func validate() throws {
        guard let text else {
            return
        }
        guard (1...Self.bytesMaximum).contains(text.utf8.count) else {
            throw ValidationError("Invalid reason: use 1 to \(Self.bytesMaximum) bytes of text.")
        }
    }

    /// The reason for the audit log, which requires one.
    var recorded: String {
        text ?? Self.absent
    }
}

extension Payment {
    /// Checks the quantity of an option before a request is sent.
    static func check(quantity: Int) throws {
        guard quantityRange.contains(quantity) else {
            let range = "\(quantityRange.lowerBound) to \(quantityRange.upperBound)"
            throw ValidationError("Invalid quantity \(quantity): use \(range).")
        }
    }
}
