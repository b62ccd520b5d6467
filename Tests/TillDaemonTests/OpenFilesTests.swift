import TTRPC
import Testing
import TillDownloads
@testable import TillDaemon

/// The minimum limit of open files grows with each limit that allows more open files.
@Suite struct OpenFilesTests {
    private let configuration = DaemonConfiguration(catalogueFiles: [], stateDirectory: "/state", socketPath: "/socket")

    @Test func anotherConnectionNeedsAnotherDescriptor() {
        var more = configuration
        more.limits.connectionsInAll += 1
        #expect(more.openFilesNeeded == configuration.openFilesNeeded + 1)
    }

    @Test func anotherDownloadNeedsThreeDescriptors() {
        var more = configuration
        more.downloads.concurrentMaximum += 1
        #expect(more.openFilesNeeded == configuration.openFilesNeeded + 3)
    }

    @Test func aWebhookListenerNeedsItsSocketAndConnections() throws {
        var more = configuration
        more.stripe.webhookAddress = LocalAddress("127.0.0.1:8480")
        #expect(more.openFilesNeeded == configuration.openFilesNeeded + 34)
    }

    @Test func anOperatorPageNeedsItsSocketAndConnections() throws {
        var more = configuration
        more.consoleAddress = LocalAddress("127.0.0.1:8481")
        #expect(more.openFilesNeeded == configuration.openFilesNeeded + 18)
    }

    /// The count: 512 connections, 16 that await admission with four descriptors each, four downloads, and 67 of the
    /// daemon.
    @Test func everyOpenFileIsCounted() {
        let loops = TTRPCServer.threadsMaximum / 2 * 3
        #expect(configuration.openFilesNeeded == 512 + 16 * 4 + loops + 4 * 3 + 15 + 3 + 17 + 32)
    }
}
