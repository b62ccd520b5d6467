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
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
                    return
                }
            }
        )
    }
}
