import ArgumentParser
import ContentServer
import CrashStates
import Foundation

struct MakeState: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Recreate and check one disk state of a kept recording."
    )

    @Argument(help: "Read the recording in this directory.")
    var recording: String

    @Option(help: "Lose power at this place in the log.")
    var place: Int

    @Option(help: "Use this disk variant, as printed by a run.")
    var variant: Variant

    @Option(help: .init("Write the state here, replacing existing content.", valueName: "dir"))
    var output: String?

    @Flag(help: "Also serve the state with the real daemon.")
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
        print("Written: \(output)")
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
        print("The state has no faults.")
    }
}

extension Variant: ExpressibleByArgument {}
