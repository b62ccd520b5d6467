import ArgumentParser
import ContentServer
import CrashStates
import Foundation

struct MakeState: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Make one disk state of a kept recording again, and check it."
    )

    @Argument(help: "The recording's directory.")
    var recording: String

    @Option(help: "Where in the log the power fails.")
    var place: Int

    @Option(help: "What is left on the disk, as a run printed it.")
    var variant: Variant

    @Option(help: .init("Where it is made; what is there is replaced.", valueName: "dir"))
    var output: String?

    @Flag(help: "Have the real daemon serve it, too.")
    var served = false

    func run() async throws {
        let recording = try Recording(directory: recording)
        let log = try recording.log()
        let answers = try Answers(log)
        var walk = DiskWalk(log)
        walk.advance(to: place)
        let output = output ?? "\(recording.directory)/again"
        let state = walk.state(variant)
        try Sweep.write(state, to: output)
        print("Made: \(output)")
        for (path, item) in state.items {
            if case .file(let bytes) = item {
                print("  \(path): \(bytes.count) bytes")
            }
        }
        let check = StateCheck(queues: answers.queues, prices: Store.prices, hosted: Store.hosted)
        let copy = output + "-opened"
        try Sweep.write(state, to: copy)
        let histories = answers.histories(before: place)
        var findings = await check.check(copy, histories: histories).findings
        if served {
            let server = try await ContentServer()
            let parent = FileManager.default.temporaryDirectory.path
            findings += try await ServedState.settle(
                state,
                histories: histories,
                check: check,
                server: server,
                in: parent
            )
            .findings
            await server.shutDown()
        }
        findings.forEach { print("FAILED: \($0)") }
        guard findings.isEmpty else {
            throw ExitCode.failure
        }
        print("Nothing is wrong with it.")
    }
}

extension Variant: ExpressibleByArgument {}
