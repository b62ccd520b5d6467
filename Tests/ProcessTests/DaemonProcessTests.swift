import FaultRuns
import Foundation
import Glibc
import NIOCore
import NIOPosix
import ProcessTesting
import Testing
import TillClient
import TillEngine
import TillInvariants
import TillModel

/// Several daemons on one state and one socket, one after another or at once.
@Suite struct DaemonProcessTests {
    @Test func aStopDuringAChargeIsOrderly() async throws {
        try await Site.with { site in
            let slow = ["--simulated-slow", TestStore.slow[0], "--simulated-delay", "1"]
            let daemon = try await site.startServingDaemon(slow)
            let queue = site.queue()
            let payment = Payment(productID: TestStore.slow[0])
            let added = try await queue.add(payment)
            #expect(added.state == .purchasing)
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            #expect(!FileManager.default.fileExists(atPath: site.socket))

            let next = try await site.startServingDaemon()
            let settled = try await queue.purchase(payment)
            #expect(settled.state == .purchased)
            await queue.close()
            next.signal(SIGTERM)
            #expect(await next.exit() == .status(0))
            let books = try await site.books([Site.application], histories: [])
            #expect(books.provider.map(\.paymentID) == [payment.id])
            #expect(Reconciliation(ledger: books.charges, provider: books.provider).rows.map(\.finding) == [.agrees])
        }
    }

    @Test func aDirectoryThatBlocksOtherUsersFromTheSocketIsReported() async throws {
        try await Site.with { site in
            let socket = site.path("run/till.sock")
            let options = ["--content", site.path("content")]
            let first = try site.startDaemon(options, socket: socket)
            try await stop(first, at: site, socket: socket)
            #expect(try !site.log().contains("Other users cannot reach the socket"))
            let second = try site.startDaemon(options + ["--allow-users", "all"], socket: socket)
            try await stop(second, at: site, socket: socket)
            let warnings = try site.log().split(separator: "\n").filter {
                $0.contains("Other users cannot reach the socket") && $0.contains(site.path("run"))
            }
            #expect(warnings.count == 1)
        }
    }

    @Test func aSecondDaemonOnTheStateNamesTheFirst() async throws {
        try await Site.with { site in
            let first = try await site.startServingDaemon()
            let second = try site.startDaemon(socket: "\(site.directory)/other.sock")
            #expect(await second.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("is in use by process \(first.processID)"))
            try await stop(first, at: site)
        }
    }

    @Test func theContentOfAnotherLedgerIsLeftAlone() async throws {
        try await Site.with { site in
            let content = site.path("content")
            let options = ["--content", content]
            let (state, socket) = (site.path("other"), site.path("other.sock"))
            let first = try await site.startServingDaemon(options)
            let second = try site.startDaemon(options, state: state, socket: socket)
            #expect(await second.exit() == .status(EX_CANTCREAT))
            #expect(
                try site.log().contains("The content directory \(content) is in use by process \(first.processID)")
            )
            try await stop(first, at: site)
            let third = try site.startDaemon(options, state: state, socket: socket)
            #expect(await third.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("\(content) contains the content of another ledger"))
            try await stop(try await site.startServingDaemon(options), at: site)
        }
    }

    @Test func theSocketOfAKilledDaemonIsReplaced() async throws {
        try await Site.with { site in
            let first = try await site.startServingDaemon()
            #expect(await first.killNow() == .signal(SIGKILL))
            #expect(FileManager.default.fileExists(atPath: site.socket))
            let second = try await site.startServingDaemon()
            try await stop(second, at: site)
        }
    }

    @Test func theSocketOfALivingDaemonIsNotTakenOver() async throws {
        try await Site.with { site in
            let first = try await site.startServingDaemon()
            let second = try site.startDaemon(state: "\(site.directory)/other")
            #expect(await second.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("The socket \(site.socket) is in use by process \(first.processID)"))
            try await stop(first, at: site)
        }
    }

    @Test func aSocketServedByAnotherProgramIsNotTakenOver() async throws {
        try await Site.with { site in
            let other = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: site.socket).get()
            let daemon = try site.startDaemon()
            #expect(await daemon.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("is served by another process"))
            #expect(FileManager.default.fileExists(atPath: site.socket))
            try await other.close()
        }
    }

    /// Stops a serving daemon with SIGTERM.
    private func stop(_ daemon: ChildProcess, at site: Site, socket: String? = nil) async throws {
        try await site.waitUntilServing(at: socket)
        daemon.signal(SIGTERM)
        #expect(await daemon.exit() == .status(0))
    }
}
