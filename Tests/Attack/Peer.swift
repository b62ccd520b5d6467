import ArgumentParser
import ProcessTesting

/// Attacks a daemon that is already running.
struct Peer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Attack a daemon at a socket.")

    @Option(help: "Connect to this socket.")
    var socket: String

    @Option(help: "Use this attack.")
    var attack: Attack

    @Option(help: "Attack for this many seconds.")
    var seconds = 60

    @Option(help: "Attack from this many connections.")
    var connections = 21

    func run() async throws {
        let attacker = Attacker(
            socket: socket,
            application: AttackStore.application,
            attack: attack,
            connections: connections
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await attacker.run() }
            await Alarm.after(.seconds(seconds))
            group.cancelAll()
        }
        let figures = attacker.tally.figures
        print(attack.rawValue, figures.connections, figures.frames)
    }
}
