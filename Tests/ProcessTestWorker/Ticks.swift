import NIOCore
import NIOPosix

/// The pace of the work: each tick comes a while after the previous one was used.
enum Ticks {
    static func every(milliseconds: Int64) -> AsyncStream<Void> {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        return AsyncStream(unfolding: {
            try? await eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {}.futureResult.get()
            return Task.isCancelled ? nil : ()
        })
    }
}
