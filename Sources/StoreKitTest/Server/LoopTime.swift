import Foundation
import NIOCore
import TillEngine

/// The machine's time, with an event loop's timers for sleeping.
struct LoopTime: TimeSource {
    let loop: any EventLoop

    func now() -> Date {
        Date()
    }

    func sleep(for duration: Duration) async throws {
        let timer = loop.scheduleTask(in: TimeAmount(duration)) {}
        try await withTaskCancellationHandler {
            try await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    }
}
