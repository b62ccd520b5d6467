import Foundation

/// The daemon and its options.
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

    /// The same daemon with a catalogue without hosted content, so that purchases cause no downloads.
    func withoutContent(in workspace: Workspace) throws -> Tilld {
        // The manifest would have to be beside the copy, so the copy has none.
        let copy = workspace.states.appendingPathComponent("catalogue.storekit").path
        if !FileManager.default.fileExists(atPath: copy) {
            try FileManager.default.copyItem(atPath: catalogue, toPath: copy)
        }
        var tilld = self
        tilld.catalogue = copy
        return tilld
    }

    /// The same daemon with a catalogue that it can sell through Stripe: without subscriptions, because one begins
    /// free of charge.
    func withoutSubscriptions(in workspace: Workspace) throws -> Tilld {
        guard let text = FileManager.default.contents(atPath: catalogue) else {
            throw BenchError("The catalogue \(catalogue) cannot be read. Name one with --catalogue.")
        }
        var contents = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
        contents["subscriptionGroups"] = []
        let copy = workspace.states.appendingPathComponent("shop.storekit")
        try JSONSerialization.data(withJSONObject: contents).write(to: copy)
        var tilld = self
        tilld.catalogue = copy.path
        return tilld
    }

    /// - Parameters:
    ///   - state: The state directory, which the daemon creates if necessary.
    ///   - holdsCharges: Whether payments wait for approval, so that only the add itself is stored.
    func command(
        state: URL,
        socket: String,
        holdsCharges: Bool = false,
        _ more: [String] = []
    ) -> Command {
        // This disables the limit of requests per second, because it exists to stop loads like a benchmark's.
        var arguments = ["--catalogue", catalogue, "--state", state.path, "--socket", socket]
        arguments += ["--log-level", "error", "--requests-per-second", "0"]
        if holdsCharges {
            arguments += ["--setting", "ask-to-buy=true"]
        }
        return Command(program, arguments + more)
    }

    /// Options that let other users use the daemon: all users pay from one account, and so share its queue.
    ///
    /// - Parameter folder: The folder for the files that the options name.
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
