import ArgumentParser
import Glibc
import TillModel
import TillWire

/// Measures the slowest message of the corpus in this process.
struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the cost of decoding the most expensive messages."
    )

    @Option(help: "Fail if a message takes longer (for release builds).")
    var limitMilliseconds = 10.0

    @Option(help: "Decode each message this many times, taking the fastest.")
    var repetitions = 5

    func validate() throws {
        guard repetitions > 0 else { throw ValidationError("Invalid --repetitions 0: use 1 or more.") }
    }

    func run() throws {
        var slowest = (name: "", nanoseconds: UInt64(0))
        var count = 0
        for input in Corpus.inputs {
            for (message, decode) in Self.decoders {
                let nanoseconds = (0..<repetitions).map { _ in Self.time { decode(input.payload) } }.min() ?? 0
                count += 1
                if nanoseconds > slowest.nanoseconds { slowest = ("\(input.name) as \(message)", nanoseconds) }
            }
        }
        let milliseconds = Double(slowest.nanoseconds) / 1e6
        print("decoded \(count) messages of at most \(Corpus.payloadBytes) bytes")
        print("slowest \(milliseconds) ms: \(slowest.name)")
        guard milliseconds <= limitMilliseconds else {
            print("FAILED: more than \(limitMilliseconds) ms")
            throw ExitCode.failure
        }
    }

    private static let decoders: [(String, @Sendable ([UInt8]) -> Void)] = [
        decoder(AddPaymentRequest.self), decoder(HelloRequest.self), decoder(ProductsRequest.self),
        decoder(DownloadsRequest.self), decoder(ChangeSettingsRequest.self), decoder(EventBatch.self),
        decoder(ListTransactionsResponse.self), decoder(ProductsResponse.self),
    ]

    private static func decoder<Message: WireMessage>(_ type: Message.Type) -> (String, @Sendable ([UInt8]) -> Void) {
        ("\(type)", { _ = try? Message(wire: $0) })
    }

    /// The processor time of this thread, which other processes do not affect.
    private static func time(_ work: () -> Void) -> UInt64 {
        let start = now()
        work()
        return now() - start
    }

    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
