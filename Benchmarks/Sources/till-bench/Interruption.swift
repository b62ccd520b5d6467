import Dispatch
import Glibc

/// Cleans up on Ctrl-C or SIGTERM.
struct Interruption {
    private let sources: [any DispatchSourceSignal]

    init(_ workspace: Workspace) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                workspace.close()
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    func end() {
        sources.forEach { $0.cancel() }
    }
}
