import Dispatch
import NIOConcurrencyHelpers
import TillEngine
import TillTesting

/// Notes for each application's receipt whether it was signed on the executor.
final class WatchingSigner: ReceiptSigner {
    private let executor: SingleExecutor
    private let notes = NIOLockedValueBox<[Bool]>([])

    init(_ executor: SingleExecutor) {
        self.executor = executor
    }

    var wasOnExecutor: [Bool] {
        notes.withLockedValue { $0 }
    }

    func sign(_ facts: ReceiptFacts) throws -> SignedReceipt {
        try PlainSigner().sign(facts)
    }

    func sign(_ facts: ApplicationReceiptFacts) throws -> SignedReceipt {
        notes.withLockedValue { $0.append(executor.isHere) }
        return try PlainSigner().sign(facts)
    }

    func sign(_ facts: RenewalFacts) throws -> SignedReceipt {
        try PlainSigner().sign(facts)
    }

    var rootCertificate: [UInt8] {
        PlainSigner().rootCertificate
    }
}

/// Runs one job at a time, and knows whether the code that asks is one of them.
final class SingleExecutor: CommitExecutor {
    let pauses = NIOLockedValueBox(0)
    /// Called in each pause.
    let whilePaused = NIOLockedValueBox<@Sendable () -> Void>({})
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "single")

    init() {
        queue.setSpecific(key: Self.key, value: true)
    }

    var isHere: Bool {
        DispatchQueue.getSpecific(key: Self.key) == true
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        queue.async { unsafe job.runSynchronously(on: executor) }
    }

    func pause() {
        pauses.withLockedValue { $0 += 1 }
        whilePaused.withLockedValue { $0 }()
    }
}
