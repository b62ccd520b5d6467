import TTRPC
import Testing
@testable import TillDaemon

/// The smallest limit of open files: it must grow with each limit that lets more of them be open.
@Suite struct OpenFilesTests {
    private let configuration = DaemonConfiguration(catalogueFiles: [], stateDirectory: "/state", socketPath: "/socket")

    @Test func aConnectionMoreIsADescriptorMore() {
        var more = configuration
        more.limits.connectionsInAll += 1
        #expect(more.openFilesNeeded == configuration.openFilesNeeded + 1)
    }

    @Test func aDownloadMoreIsThreeDescriptorsMore() {
        var more = configuration
        more.contentConnections += 1
        #expect(more.openFilesNeeded == configuration.openFilesNeeded + 3)
    }

    /// 512 connections, 16 more that enter with four descriptors each, four downloads, and the daemon's own 64.
    @Test func allThatIsOpenAtTheSameTimeIsCounted() {
        let loops = TTRPCServer.threadsMaximum / 2 * 3
        #expect(configuration.openFilesNeeded == 512 + 16 * 4 + loops + 4 * 3 + 15 + 17 + 32)
    }
}
