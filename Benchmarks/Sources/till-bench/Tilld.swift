import Foundation

/// The daemon, and how it is started.
struct Tilld: Sendable {
    let program: String
    private var catalogue: String

    init(_ options: BenchOptions) {
        program = options.tilld
        catalogue = options.catalogue
    }

    var programs: [Program] {
        [Program(program, remedy: "swift build -c release --product tilld")]
    }

    /// The same daemon, with a catalogue whose content nobody hosts, so that purchases bring no downloads along.
    func withoutContent(in workspace: Workspace) throws -> Tilld {
        // The manifest would lie beside the file.
        let copy = workspace.states.appendingPathComponent("catalogue.storekit").path
        if !FileManager.default.fileExists(atPath: copy) {
            try FileManager.default.copyItem(atPath: catalogue, toPath: copy)
        }
        var tilld = self
        tilld.catalogue = copy
        return tilld
    }

    /// - Parameters:
    ///   - state: Its directory, which it makes if it is not there.
    ///   - holdsCharges: Whether payments wait for approval, so that nothing but the add itself is stored.
    func command(
        state: URL,
        socket: String,
        holdsCharges: Bool = false,
        _ more: [String] = []
    ) -> Command {
        // Without a limit of requests a second, for it is there to stop what a benchmark does.
        var arguments = ["--catalogue", catalogue, "--state", state.path, "--socket", socket]
        arguments += ["--log-level", "error", "--requests-per-second", "0"]
        if holdsCharges {
            arguments += ["--setting", "ask-to-buy=true"]
        }
        return Command(program, arguments + more)
    }

    /// Options that let others use the daemon: all users pay from one account, and so share its queue.
    ///
    /// - Parameter folder: Keeps what the options name.
    func optionsForAllUsers(in folder: URL) throws -> [String] {
        let policy = """
            {"version": 1, "rules": [
                {"users": ["*"], "applications": ["*"], "account": "bench", "role": "customer"}
            ]}
            """
        let file = folder.appendingPathComponent("policy.json")
        try Data(policy.utf8).write(to: file)
        return ["--policy", file.path, "--content", folder.appendingPathComponent("content").path]
    }
}
