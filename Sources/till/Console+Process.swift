import Foundation
import TillCommand
import UnixSignals

extension Console {
    /// The process's own output, environment and signals.
    static var process: Console {
        let output = LineWriter(descriptor: STDOUT_FILENO)
        let errors = LineWriter(descriptor: STDERR_FILENO)
        return Console(
            environment: ProcessInfo.processInfo.environment,
            print: { try output.write($0) },
            complain: { try? errors.write($0) },
            waitForInterruption: {
                await withTaskGroup { group in
                    group.addTask { await waitForSignal() }
                    group.addTask { await waitUntilNobodyReads(output) }
                    await group.next()
                    group.cancelAll()
                }
            }
        )
    }

    private static func waitForSignal() async {
        for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
            return
        }
    }

    /// So that `till watch | head -1` ends, and not only with the line after.
    private static func waitUntilNobodyReads(_ output: LineWriter) async {
        while !Task.isCancelled, output.hasReader {
            try? await Task.sleep(for: .milliseconds(500))
        }
    }
}
