import Foundation
import ProcessTesting
import TillClient

extension Shop {
    /// A queue, as applications use it.
    func queue() -> PaymentQueue {
        PaymentQueue(ClientConfiguration(application: application, socketPath: site.socket))
    }

    /// Starts `till agent`, which asks on the terminal.
    func startAgent(on terminal: Terminal, _ options: String...) throws -> RunningCommand {
        try start(["agent"] + options, on: terminal)
    }

    /// Starts a command that a person uses: its input and outputs are the terminal.
    func startInteractively(_ arguments: [String], on terminal: Terminal) throws -> RunningCommand {
        let name = "till-on-terminal-\(daemon.nextCommand())"
        let process = try site.start(
            name,
            "/bin/sh",
            ["-c", #"t=$0; exec "$@" <"$t" >"$t" 2>&1"#, terminal.path, Binaries.command] + arguments
                + ["--socket", site.socket],
            log: "\(name).out",
            errors: "\(name).err"
        )
        return RunningCommand(process: process, output: site.path("\(name).out"), errors: site.path("\(name).err"))
    }

    /// Starts a command whose standard input and standard error are the terminal.
    func start(_ arguments: [String], on terminal: Terminal) throws -> RunningCommand {
        let name = "till-on-terminal-\(daemon.nextCommand())"
        let common = ["--socket", site.socket, "--application", application, "--json"]
        let process = try site.start(
            name,
            "/bin/sh",
            ["-c", #"t=$0; exec "$@" <"$t" 2>"$t""#, terminal.path, Binaries.command] + arguments + common,
            log: "\(name).out",
            errors: "\(name).err"
        )
        return RunningCommand(process: process, output: site.path("\(name).out"), errors: site.path("\(name).err"))
    }
}
