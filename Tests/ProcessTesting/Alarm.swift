import NIOCore
import NIOPosix

/// Waits on the machine's clock, for moments that a test chooses and for polling.
package enum Alarm {
    package static func after(_ duration: Duration) async {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        try? await eventLoop.scheduleTask(in: TimeAmount(duration)) {}.futureResult.get()
    }
}
