import Foundation
import Testing
@testable import TillCommand

/// `till init` in a home directory of its own, with a systemd that the test plays.
@Suite struct InitTests {
    private struct Home {
        let directory: String
        var catalogue: String { "\(directory)/Notes.storekit" }
        var configuration: String { "\(directory)/.config/till/tilld.json" }

        func text() -> String? {
            FileManager.default.contents(atPath: configuration).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static let usage = """
        till: No .storekit file: name one, for example till init Notes.storekit.
        """

    @Test func theConfigurationIsWrittenOnceAndExplained() async throws {
        try await inHome { home in
            let first = console(home)
            let arguments = ["init", "--no-service", home.catalogue]
            #expect(await Till.run(arguments, first.console) == .done, "\(first.complaints.values)")
            #expect(home.text() == "{\n    \"catalogue\": [\"\(home.catalogue)\"]\n}\n")
            #expect(
                first.output.values == [
                    "Wrote \(home.configuration), which sells 3 products of \(home.catalogue).",
                    "Start the daemon:",
                    "  tilld --config \(home.configuration)",
                    "", "Then type:",
                    "  export TILL_APPLICATION=org.example.notes",
                    "  till products",
                    "  till buy org.example.notes.coins",
                    "  till finish --all",
                ]
            )
            let again = console(home)
            #expect(await Till.run(arguments, again.console) == .done)
            #expect(again.output.values.first?.hasPrefix("Kept \(home.configuration)") == true)
        }
    }

    @Test func anotherConfigurationIsNeverChanged() async throws {
        try await inHome { home in
            let folder = URL(filePath: home.configuration).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: URL(filePath: home.configuration))
            let console = console(home)
            #expect(await Till.run(["init", "--no-service", home.catalogue], console.console) == .badData)
            #expect(console.complaints.values.last?.contains("exists: change it yourself") == true)
            #expect(home.text() == "{}")
        }
    }

    @Test func aFileWithErrorsWritesNothing() async throws {
        try await inHome(price: "cheap") { home in
            let console = console(home)
            #expect(await Till.run(["init", "--no-service", home.catalogue], console.console) == .badData)
            #expect(console.complaints.values.first?.hasPrefix("till: error: \(home.catalogue): ") == true)
            #expect(console.complaints.values.last?.hasSuffix("mend its errors first.") == true)
            #expect(home.text() == nil)
        }
    }

    @Test(arguments: [
        (typed: "~/Notes.storekit" as String?, status: TillCommand.ExitStatus.done), ("  ", .usage), (nil, .usage),
    ])
    func theFileIsAskedForAtATerminal(typed: String?, status: TillCommand.ExitStatus) async throws {
        try await inHome { home in
            let recorder = console(home)
            let shown = TestConsole.Lines()
            var terminal = recorder.console
            terminal.show = { shown.append($0) }
            terminal.readLine = { typed }
            #expect(await Till.run(["init", "--no-service"], terminal) == status)
            #expect(shown.values == ["The .storekit file with your products: "] + (typed == nil ? ["\n"] : []))
            #expect((home.text() != nil) == (status == .done))
        }
    }

    @Test func withoutATerminalTheFileMustBeNamed() async throws {
        try await inHome { home in
            let console = console(home)
            #expect(await Till.run(["init"], console.console) == .usage)
            #expect(console.complaints.values == [Self.usage])
        }
    }

    @Test func aUserWithoutARuntimeDirectoryGetsASocketAndItsVariable() async throws {
        try await inHome { home in
            let console = console(home)
            let socket = "\(home.directory)/own dir/till.sock"
            let longer = "\(home.directory)/other/../own dir/till.sock"
            let arguments = ["init", "--no-service", "--socket", longer, home.catalogue]
            #expect(await Till.run(arguments, console.console) == .done)
            #expect(home.text()?.contains("\"socket\": \"\(socket)\"") == true)
            #expect(console.output.values.contains("  export TILL_SOCKET='\(socket)'"))
        }
    }

    @Test(arguments: [
        (answers: [1], commands: ["cat"], status: TillCommand.ExitStatus.done),
        ([0, 1], ["cat", "enable --now"], .unreachable),
    ])
    func systemdIsAskedForTheUnitsAndToStartThem(
        answers: [Int32],
        commands: [String],
        status: TillCommand.ExitStatus
    ) async throws {
        try await inHome { home in
            let recorder = console(home)
            try FileManager.default.createDirectory(
                atPath: "\(home.directory)/run/systemd/private",
                withIntermediateDirectories: true
            )
            let calls = TestConsole.Lines()
            var console = recorder.console
            console.environment["XDG_RUNTIME_DIR"] = "\(home.directory)/run"
            console.runProgram = { command in
                calls.append(command.joined(separator: " "))
                return ProgramResult(status: answers[calls.values.count - 1], output: "Unit is bad.\nSee more.\n")
            }
            #expect(await Till.run(["init", home.catalogue], console) == status)
            #expect(calls.values == commands.map { "systemctl --user \($0) tilld.socket tilld.service" })
            if status == .done {
                #expect(recorder.output.values.contains("The service is not installed: start the daemon yourself."))
            } else {
                #expect(
                    recorder.complaints.values.last?.contains("could not start tilld: Unit is bad. Its log") == true
                )
            }
            // The configuration stays, so that the command can be repeated.
            #expect(home.text() != nil)
        }
    }

    @Test func theDaemonThatSystemdStartedIsAsked() async throws {
        try await inHome { home in
            let recorder = console(home)
            try FileManager.default.createDirectory(
                atPath: "\(home.directory)/run/systemd/private",
                withIntermediateDirectories: true
            )
            var console = recorder.console
            console.runProgram = { _ in ProgramResult(status: 0, output: "") }
            // It does not answer, because systemd is played.
            #expect(await Till.run(["init", home.catalogue], console) == .unreachable)
            let complaint = recorder.complaints.values.last
            #expect(complaint?.contains("\(home.directory)/run/till/till.sock") == true, "\(complaint ?? "")")
        }
    }

    private func console(_ home: Home) -> TestConsole {
        TestConsole(environment: ["HOME": home.directory, "XDG_RUNTIME_DIR": "\(home.directory)/run"])
    }

    private func inHome(price: String = "0.99", _ body: (Home) async throws -> Void) async throws {
        let home = Home(directory: "\(FileManager.default.temporaryDirectory.path)/till-init-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: home.directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let products = [("pro.lifetime", "NonConsumable"), ("coins", "Consumable"), ("pro.year", "NonConsumable")].map {
            """
            {"displayPrice": "\(price)", "familyShareable": false, "internalID": "\($0)", "localizations": [],
             "productID": "org.example.notes.\($0)", "referenceName": "\($0)", "type": "\($1)"}
            """
        }
        let text = """
            {"identifier": "A", "nonRenewingSubscriptions": [], "products": [\(products.joined(separator: ","))],
             "settings": {}, "subscriptionGroups": [], "version": {"major": 3, "minor": 0}}
            """
        try Data(text.utf8).write(to: URL(filePath: home.catalogue))
        try await body(home)
    }
}
