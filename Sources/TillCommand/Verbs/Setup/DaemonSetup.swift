import Foundation
import TillModel

/// A user's own daemon: its configuration, and where it serves.
struct DaemonSetup {
    /// Files of the configuration are for their owner, by the XDG Base Directory Specification.
    private static let directoryMode = 0o700

    let catalogue: String
    /// The path of the configuration.
    let configuration: String
    /// The path of the socket on which the daemon will serve.
    let socket: String
    let service: UserService.State
    /// Whether the configuration is still to be written.
    let isNew: Bool
    /// Whether clients find the socket without being told.
    let isFoundByDefault: Bool
    private let text: String

    /// Chooses the paths, and looks at an existing configuration. Changes nothing.
    ///
    /// - Parameters:
    ///   - catalogue: The absolute path of the `.storekit` file.
    ///   - isRoot: Whether the daemon would be root's.
    ///   - socket: The socket that the user asks for.
    /// - Throws: `CommandFailure` if there is no place for them, or another configuration is there.
    init(
        catalogue: String,
        environment: [String: String],
        isRoot: Bool,
        socket: String?,
        service: UserService.State
    ) throws(CommandFailure) {
        guard let configuration = DefaultPaths.configuration(environment: environment) else {
            throw CommandFailure(.usage, "There is no place for the configuration: set HOME or XDG_CONFIG_HOME.")
        }
        if socket != nil, service.isAvailable {
            throw CommandFailure(.usage, "systemd chooses the service's socket: omit --socket, or add --no-service.")
        }
        let ambient = environment["TILL_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let paths = DefaultPaths(environment: environment, isRoot: isRoot && !service.isAvailable)
        // A user without XDG_RUNTIME_DIR has no default: the socket is in the daemon's own directory.
        let fallback = paths.socket == nil ? paths.state.map { "\($0)/till.sock" } : nil
        let unusual = (socket ?? (service.isAvailable ? nil : ambient) ?? fallback)?.absolutePath
        guard let path = unusual ?? paths.socket else {
            throw CommandFailure(.usage, "There is no place for the socket: set HOME, or use --socket.")
        }
        text = Self.text(catalogue: catalogue, socket: unusual)
        isNew = try Self.isMissing(configuration, unlessItIs: text)
        isFoundByDefault = unusual == nil && ambient == nil
        (self.catalogue, self.configuration, self.socket, self.service) = (catalogue, configuration, path, service)
    }

    /// Writes the configuration, unless it is there.
    func write() throws(CommandFailure) {
        guard isNew else {
            return
        }
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: configuration).deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: Self.directoryMode]
            )
        } catch {
            throw CommandFailure(.outputFailed, "The directory of \(configuration) cannot be created.")
        }
        try OutputFile(path: configuration).write(text.utf8)
    }

    private static func text(catalogue: String, socket: String?) -> String {
        let members = [("catalogue", "[\(catalogue.asJSON)]")] + (socket.map { [("socket", $0.asJSON)] } ?? [])
        return "{\n\(members.map { "    \"\($0)\": \($1)" }.joined(separator: ",\n"))\n}\n"
    }

    private static func isMissing(_ path: String, unlessItIs text: String) throws(CommandFailure) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else {
            return true
        }
        guard FileManager.default.contents(atPath: path) == Data(text.utf8) else {
            throw CommandFailure(.badData, "\(path) exists: change it yourself, or move it away and try again.")
        }
        return false
    }
}

extension String {
    /// The path, from the root.
    var absolutePath: String {
        URL(filePath: self).standardizedFileURL.path(percentEncoded: false)
    }

    /// The text as a string of JSON.
    fileprivate var asJSON: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A string always has a form in JSON.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
