import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient
import TillEngine
import TillProviders

/// A simulated provider whose record can no longer be written.
@Suite(.timeLimit(.minutes(5))) struct RecordFailureTests {
    struct Fault: CustomTestStringConvertible {
        var call: String
        var error: String
        var testDescription: String { "\(call) fails with \(error)" }
    }

    @Test(
        .enabled("strace is not installed") { FileManager.default.isExecutableFile(atPath: Tracer.program) },
        arguments: [Fault(call: "write", error: "ENOSPC"), Fault(call: "fsync", error: "EIO")]
    )
    func theDaemonStopsAndTheNextOneChargesOnce(_ fault: Fault) async throws {
        try await Site.with { site in
            try await site.makeLedger()
            let record = "\(site.state)/\(SimulatedRecord.fileName)"
            let tracer = Tracer(calls: [fault.call], fault: "error=\(fault.error):when=1")
            let wrapper = tracer.command(log: site.path("calls.log"), paths: [record])
            let daemon = try site.startDaemon(wrapper: wrapper)
            try await site.waitUntilServing()
            let queue = site.queue(callTimeout: .seconds(5))
            let payment = Payment(productID: TestStore.coins)
            try await queue.add(payment)
            #expect(await daemon.exit(within: .seconds(20)) == .status(EX_IOERR))
            let log = try site.log()
            #expect(log.contains("The provider failed"))
            #expect(log.contains("tilld: The daemon stopped. Cannot write the record of charges at \(record)"))
            let next = try await site.startServingDaemon()
            #expect(try await queue.purchase(payment).state == .purchased)
            await queue.close()
            next.signal(SIGTERM)
            #expect(await next.exit() == .status(0))
            #expect(try SimulatedRecord.charges(in: site.state).count { $0.paymentID == payment.id } == 1)
        }
    }
}
