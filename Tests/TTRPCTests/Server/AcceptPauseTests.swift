import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

@Suite("Accepting without free descriptors")
struct AcceptPauseTests {
    @Test func acceptingPausesAfterAnErrorAndResumes() throws {
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

    @Test func pendingConnectionsAreLimited() throws {
        let listener = EmbeddedChannel()
        let pause = AcceptPause(logger: .silent)
        try listener.pipeline.syncOperations.addHandler(pause)
        let connections = (0..<AcceptPause.pendingMaximum).map { _ in EmbeddedChannel() }
        for connection in connections {
            #expect(autoReads(listener) == nil)
            accept(connection, on: listener)
        }
        #expect(autoReads(listener) == false)
        pause.removePending(connections[0])
        #expect(autoReads(listener) == true)
        // Removing a connection twice makes room only once.
        pause.removePending(connections[0])
        accept(EmbeddedChannel(), on: listener)
        #expect(autoReads(listener) == false)
        _ = try? listener.finish()
    }

    @Test func aConnectionThatClosesBeforeItIsAdmittedMakesRoom() throws {
        let listener = EmbeddedChannel()
        try listener.pipeline.syncOperations.addHandler(AcceptPause(logger: .silent))
        let connections = (0..<AcceptPause.pendingMaximum).map { _ in EmbeddedChannel() }
        connections.forEach { accept($0, on: listener) }
        #expect(autoReads(listener) == false)
        _ = try? connections[3].finish()
        listener.embeddedEventLoop.run()
        #expect(autoReads(listener) == true)
        _ = try? listener.finish()
    }

    @Test func freeSlotsDoNotEndAPauseForLackOfDescriptors() throws {
        let listener = EmbeddedChannel()
        let pause = AcceptPause(logger: .silent)
        try listener.pipeline.syncOperations.addHandler(pause)
        let connections = (0..<AcceptPause.pendingMaximum).map { _ in EmbeddedChannel() }
        connections.forEach { accept($0, on: listener) }
        listener.pipeline.fireErrorCaught(IOError(errnoCode: 24, reason: "accept"))
        pause.removePending(connections[0])
        #expect(autoReads(listener) == false)
        listener.embeddedEventLoop.advanceTime(by: AcceptPause.duration)
        #expect(autoReads(listener) == true)
        _ = try? listener.finish()
    }

    private func accept(_ connection: EmbeddedChannel, on listener: EmbeddedChannel) {
        listener.pipeline.fireChannelRead(connection as any Channel)
    }

    /// The last value that was set, or nil.
    private func autoReads(_ channel: EmbeddedChannel) -> Bool? {
        channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }
}
