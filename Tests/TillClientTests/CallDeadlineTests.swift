import FoundationEssentials
import Glibc
import TTRPC
import Testing
import TillClient
import TillDaemon
import TillModel
import TillTesting
import TillWire

/// Calls end by their deadline, even while other calls try to connect.
@Suite(.timeLimit(.minutes(1))) struct CallDeadlineTests {
    private static let timeout = Duration.milliseconds(300)
    /// Long enough for a busy machine, and far shorter than other waits of the calls: the search for the daemon, and
    /// the 45 s that reading a receipt may take.
    private static let atOnce = Duration.seconds(15)

    private func queue(of daemon: ScriptedDaemon, timeout: Duration = timeout) -> PaymentQueue {
        var configuration = daemon.configuration
        configuration.callTimeout = timeout
        return PaymentQueue(configuration)
    }

    @Test func aCallEndsInItsTimeWhileASequenceOfChangesLooksForTheDaemon() async throws {
        try await ScriptedDaemon.run { daemon in
            let queue = queue(of: daemon)
            let (losses, lost) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await _ in queue.changes { lost.yield() }
                }
                _ = await losses.first { _ in true }
                for _ in 0..<3 {
                    let start = ContinuousClock.now
                    await expect(.unavailable) { _ = try await queue.products(["coins"]) }
                    #expect(.now - start < Self.timeout + Self.atOnce)
                }
                await queue.close()
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    @Test func aCallThatWaitsForAnotherToConnectCanBeCancelled() async throws {
        try await ScriptedDaemon.run { daemon in
            // The socket accepts connections, and sends nothing.
            let socket = try await ListeningSocket.whenFree(daemon.socketPath)
            let queue = queue(of: daemon, timeout: .seconds(30))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask { await expect(.cancelled) { _ = try await queue.status() } }
                }
                var arrivals = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
                while unsafe poll(&arrivals, 1, 0) == 0 {
                    try await Task.yieldUnlessCancelled()
                }
                let start = ContinuousClock.now
                group.cancelAll()
                try await group.waitForAll()
                #expect(.now - start < Self.atOnce)
            }
            socket.remove()
        }
    }

    @Test func aMissingReceiptEndsWithinTheTimeOfACall() async throws {
        try await ScriptedDaemon.run { daemon in
            var methods = MethodTable()
            methods.stream(ApplicationReceiptRequest.self, [])
            try await daemon.serving(methods) {
                let start = ContinuousClock.now
                await expect(.deadlineExceeded) { _ = try await queue(of: daemon).applicationReceipt() }
                #expect(.now - start < Self.timeout + Self.atOnce)
            }
        }
    }
}
