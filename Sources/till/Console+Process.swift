import Foundation
import TillCommand
import UnixSignals

extension Console {
    /// The output, environment and signals of this process.
    static var process: Console {
        let output = LineWriter(descriptor: STDOUT_FILENO)
        let errors = LineWriter(descriptor: STDERR_FILENO)
        let input = TerminalInput(descriptor: STDIN_FILENO)
        var console = Console(
            environment: ProcessInfo.processInfo.environment,
            print: { try output.write($0) },
            complain: { try? errors.write($0) },
            waitForInterruption: {
                await withTaskGroup { group in
                    group.addTask { await waitForSignal() }
                    group.addTask {
                        await waitUntilReaderCloses(output)
                        return .unread
                    }
                    defer { group.cancelAll() }
                    return await group.next() ?? .interrupted
                }
            },
            sleep: { try await Task.sleep(for: $0) },
            openPage: { try open($0) },
            runProgram: { try result(of: $0) }
        )
        if isatty(STDERR_FILENO) == 1 {
            console.show = { try? errors.write(raw: $0) }
        }
        console.screen = TerminalScreen(input: STDIN_FILENO, output: STDOUT_FILENO)?.screen
        if let input {
            console.readLine = { await input.readLine() }
        }
        return console
    }

    /// Runs a program, which is looked for in `PATH`, and waits for its end.
    ///
    /// - Throws: An error if it cannot be started.
    private static func result(of command: [String]) throws -> ProgramResult {
        let program = Process()
        let output = Pipe()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = command
        program.standardInput = FileHandle.nullDevice
        program.standardOutput = output
        program.standardError = output
        // This process's own may be closed to the user, as after runuser(1).
        program.currentDirectoryURL = URL(filePath: "/")
        try program.run()
        // This blocks the thread: the command has nothing else to do.
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        program.waitUntilExit()
        return ProgramResult(status: program.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }

    /// Opens a page with the program that desktops have for it (https://portland.freedesktop.org/doc/xdg-open.html).
    ///
    /// - Throws: An error if it cannot be started.
    private static func open(_ page: String) throws {
        let opener = Process()
        opener.executableURL = URL(filePath: "/usr/bin/env")
        opener.arguments = ["xdg-open", page]
        opener.standardInput = FileHandle.nullDevice
        opener.standardOutput = FileHandle.nullDevice
        opener.standardError = FileHandle.nullDevice
        try opener.run()
    }

    private static func waitForSignal() async -> ExitStatus {
        for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
            return signal == .sigterm ? .terminated : .interrupted
        }
        return .interrupted
    }

    /// Returns when the output has no reader, so that `till watch | head -1` ends without waiting for another line.
    private static func waitUntilReaderCloses(_ output: LineWriter) async {
        while !Task.isCancelled, output.hasReader {
            try? await Task.sleep(for: .milliseconds(500))
        }
    }
}
