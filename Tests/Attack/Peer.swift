import ArgumentParser
import ProcessTesting

/// Attacks a daemon that somebody else has started.
struct Peer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Attack a daemon at a socket.")

    @Option(help: "Where it is served.")
    var socket: String

    @Option(help: "How to attack.")
    var attack: Attack

    @Option(help: "For how long.")
    var seconds = 60

    @Option(help: "From how many connections.")
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
