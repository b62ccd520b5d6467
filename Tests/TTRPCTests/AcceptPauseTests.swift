import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

@Suite("Accepting without a descriptor left")
struct AcceptPauseTests {
    @Test func nothingIsAcceptedForAMomentAfterAnErrorAndThenAgain() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(AcceptPause(logger: .silent))
        #expect(autoReads(channel) == nil)
        for _ in 0..<2 { channel.pipeline.fireErrorCaught(IOError(errnoCode: 24, reason: "accept")) }
        #expect(autoReads(channel) == false)
        channel.embeddedEventLoop.advanceTime(by: AcceptPause.duration - .nanoseconds(1))
        #expect(autoReads(channel) == false)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(autoReads(channel) == true)
        _ = try? channel.finish()
    }

    /// What was last asked for; nil for nothing.
    private func autoReads(_ channel: EmbeddedChannel) -> Bool? {
        channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }
}
