import Foundation

/// A separate bus with a service on it.
struct DBusPeer: Peer {
    private static let tries = 1000
    private static let pause = 0.01

    let name = "dbus"
    let scenarios: Set<Scenario> = [.echo]
    let programs = [
        Program("dbus-daemon", package: "dbus-daemon"),
        Program("dbus-echo", remedy: "swift build --package-path Benchmarks -c release"),
    ]

    func promise(in scenario: Scenario) -> String {
        "nothing is stored; each call and its answer pass through the bus"
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("bus.sock")
        let ready = run.socket("ready")
        let file = run.state.appendingPathComponent("bus.conf")
        try Data(configuration(socket).utf8).write(to: file)
        let bus = ["--config-file=\(file.path)", "--nofork", "--nopidfile"]
        try run.serve(Command(try run.path(of: "dbus-daemon"), bus))
        try run.serve(Command(try run.path(of: "dbus-echo"), [socket, ready]))
        for _ in 0..<Self.tries where !FileManager.default.fileExists(atPath: ready) {
            Thread.sleep(forTimeInterval: Self.pause)
        }
        return try run.load("dbus-echo", at: socket)
    }

    /// The configuration allows everything, and as many simultaneous calls as a session bus.
    private func configuration(_ socket: String) -> String {
        """
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
            <allow own="*"/>
          </policy>
          <limit name="max_replies_per_connection">50000</limit>
        </busconfig>
        """
    }
}
