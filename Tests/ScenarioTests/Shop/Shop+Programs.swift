import Foundation
import ProcessTesting
import TillClient

extension Shop {
    /// The queue, as an application uses it.
    func queue() -> PaymentQueue {
        PaymentQueue(ClientConfiguration(application: application, socketPath: site.socket))
    }

    /// Starts `till agent`, which asks on the terminal.
    func startAgent(on terminal: Terminal, _ options: String...) throws -> RunningCommand {
        let name = "agent-\(daemon.nextCommand())"
        let agent = [Binaries.command, "agent", "--socket", site.socket, "--json"] + options
        let process = try site.start(
            name,
            "/bin/sh",
            ["-c", #"t=$0; exec "$@" <"$t" 2>"$t""#, terminal.path] + agent,
            log: "\(name).out",
            errors: "\(name).err"
        )
        return RunningCommand(process: process, output: site.path("\(name).out"), errors: site.path("\(name).err"))
    }
}
