import ArgumentParser
import Glibc
import TillModel
import TillWire

/// Measures the slowest message of the corpus, in this process.
struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what the most expensive messages cost to decode."
    )

    @Option(help: "The most that one may take. Only a release build is worth a comparison.")
    var limitMilliseconds = 10.0

    @Option(help: "How often each is decoded; the fastest counts, as the others shared the processor.")
    var repetitions = 5

    func validate() throws {
        guard repetitions > 0 else { throw ValidationError("Decode each message at least once.") }
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
        print("decoded \(count) messages of \(Corpus.payloadBytes) bytes at most")
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

    /// The processor time of this thread, which others at work on the machine do not lengthen.
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
