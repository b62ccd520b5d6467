import Foundation

/// The service of the user's own daemon, which the user's systemd runs (systemd.unit(5), "User Unit Search Path").
struct UserService {
    /// Whether there is such a service.
    enum State {
        case available(UserService)
        /// There is none. The reason is nil if none is wanted.
        case absent(reason: String?)

        /// Asks systemd for the units.
        init(_ console: Console, isWanted: Bool) throws(CommandFailure) {
            let directory = console.environment["XDG_RUNTIME_DIR"] ?? ""
            guard isWanted else {
                self = .absent(reason: nil)
                return
            }
            // The test of sd_booted(3) for a user's systemd: its private socket.
            guard let runProgram = console.runProgram,
                directory.hasPrefix("/"), FileManager.default.fileExists(atPath: "\(directory)/systemd/private")
            else {
                self = .absent(reason: "systemd does not run for you here")
                return
            }
            let service = UserService(runProgram: runProgram)
            let isInstalled = try service.systemctl(["cat"]).status == 0
            self = isInstalled ? .available(service) : .absent(reason: "The service is not installed")
        }

        var isAvailable: Bool {
            switch self {
            case .available: true
            case .absent: false
            }
        }
    }

    /// The units that `make install` and the Debian package install.
    private static let units = ["tilld.socket", "tilld.service"]

    private let runProgram: @Sendable ([String]) throws -> ProgramResult

    /// Starts the daemon now and at each login, and waits until it serves.
    func start() throws(CommandFailure) {
        let result = try systemctl(["enable", "--now"])
        guard result.status == 0 else {
            let said = result.output.split(separator: "\n").first.map { ": \($0)" } ?? "."
            throw CommandFailure(
                .unreachable,
                "systemd could not start tilld\(said) Its log says why: journalctl --user --unit tilld"
            )
        }
    }

    private func systemctl(_ arguments: [String]) throws(CommandFailure) -> ProgramResult {
        do {
            return try runProgram(["systemctl", "--user"] + arguments + Self.units)
        } catch {
            throw CommandFailure(.unreachable, "systemctl cannot be run: \(error)")
        }
    }
}
