import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import TillMetrics
import TillModel

#if MUTANTS
    import Mutants
#endif

/// Makes commands durable in groups: commands that arrive while a group is executed join it, and commands that arrive
/// while it is flushed form the next, so that one flush serves all waiting commands. A group waits briefly for the
/// clients that the last one answered, which may send their next commands at once. A lone command is committed at once.
final class GroupCommit: Sendable {
    /// Clients' commands that may wait; more are refused before anything is stored.
    static let waitingMaximum = 10_000
    /// How long a flush may take, or up to twice as long, before clients' commands are refused until it is done: they
    /// would wait at least as long.
    static let flushPatience = Duration.seconds(5)
    /// Commands in one transaction.
    static let groupMaximum = 1_000
    /// The share of a flush's time, from its first command on, for which a group waits for the clients that the last
    /// one answered: otherwise they would wait for another whole flush.
    static let gatheringShare = 0.25
    /// In seconds: if a flush takes less, a group does not wait, because a pause would be too large a part of it.
    static let gatheringFlush = 0.0005
    /// How often a group pauses in a row while no command arrives: for some milliseconds, even if a clock stands still.
    static let pausesMaximum = 100

    private struct State {
        var waiting: [WaitingCommand] = []
        var isOpen = true
        /// Whether ``run()`` takes all waiting commands before it sleeps again, so that new ones need not wake it.
        var isAwake = false
        /// The number of the running flush, or of the last one.
        var flush = 0
        var isFlushing = false
        /// Whether the running flush has taken too long.
        var isLate = false
        /// How long the last flush took, in seconds.
        var flushTime: TimeInterval = 0
        /// The number of commands in the last group and of those that arrived while it was flushed: as many may arrive
        /// by the next flush.
        var expected = 0

        /// Takes the first waiting commands, at most so many.
        mutating func take(_ maximum: Int) -> [WaitingCommand] {
            let taken = Array(waiting.prefix(maximum))
            waiting.removeFirst(taken.count)
            return taken
        }

        /// Whether a group of this size and age waits for others.
        func isGathering(_ count: Int, age: TimeInterval) -> Bool {
            count < expected && flushTime >= gatheringFlush && age < flushTime * gatheringShare
        }
    }

    /// Commands of one transaction; grows while it is executed.
    private typealias Group = NIOLockedValueBox<[WaitingCommand]>

    private struct Committed: Sendable {
        var effects: CommitEffects
        var succeed: [@Sendable () -> Void]
        var begunAt: Date
        /// When its flush began.
        var executedAt: Date
    }

    private let ledger: any Ledger
    private let deliveries: DeliveryLog?
    private let time: any TimeSource
    private let logger: Logger
    private let prepare: @Sendable (any LedgerReader) throws -> Void
    private let apply: @Sendable (CommitEffects) -> Void
    private let publish: @Sendable (CommitEffects) -> Void
    private let state = NIOLockedValueBox(State())
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let metrics: EngineMetrics

    /// - Parameters:
    ///   - deliveries: What is written into the history of a transaction with its next change.
    ///   - prepare: Puts in force what other daemons have stored, before the commands of a transaction.
    ///   - apply: Puts changed settings in force and hands over charges before the commands are answered, so that a
    ///     caller that then waits for work to settle waits for the charges too.
    ///   - publish: Notifies observers, and hands over other work. It runs after the answers, so that clients can send
    ///     their next commands in the meantime.
    init(
        ledger: any Ledger,
        deliveries: DeliveryLog? = nil,
        prepare: @escaping @Sendable (any LedgerReader) throws -> Void = { _ in },
        time: any TimeSource,
        metrics: EngineMetrics = .shared,
        logger: Logger,
        apply: @escaping @Sendable (CommitEffects) -> Void = { _ in },
        publish: @escaping @Sendable (CommitEffects) -> Void
    ) {
        self.ledger = ledger
        self.deliveries = deliveries
        self.prepare = prepare
        self.time = time
        self.metrics = metrics
        self.logger = logger
        self.apply = apply
        self.publish = publish
    }

    /// Executes `command` in the next group and returns its answer once that is durable.
    ///
    /// The command runs to its end even if the caller's task is cancelled.
    ///
    /// - Parameters:
    ///   - isOwn: Whether the engine itself needs it, so that it is never refused for lack of room.
    ///   - transaction: The transaction that the command is about, if it names one.
    func submit<Value: Sendable>(
        isOwn: Bool,
        about transaction: TransactionReference? = nil,
        _ command: @escaping @Sendable (inout CommandContext) throws -> Result<Value, TillError>
    ) async throws(TillError) -> Value {
        let result: Result<Value, TillError> = await withCheckedContinuation { continuation in
            submit(isOwn: isOwn, about: transaction, command) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Executes `command` in the next group, and passes its answer to `answer` once that is durable, or at once if the
    /// command is refused.
    ///
    /// - Parameters:
    ///   - transaction: The transaction that the command is about, if it names one.
    ///   - queue: The queue that it names.
    ///   - answer: Called once, on the thread that commits or on the caller's, so it must return quickly.
    func submit<Value: Sendable>(
        isOwn: Bool,
        about transaction: TransactionReference? = nil,
        in queue: QueueName? = nil,
        _ command: @escaping @Sendable (inout CommandContext) throws -> Result<Value, TillError>,
        then answer: @escaping @Sendable (Result<Value, TillError>) -> Void
    ) {
        let waiting = WaitingCommand(
            transaction: transaction,
            queue: queue,
            execute: { context in
                let result = try command(&context)
                return { answer(result) }
            },
            fail: { answer(.failure($0)) }
        )
        if let refusal = enqueue(waiting, isOwn: isOwn) {
            metrics.refused(refusal)
            answer(.failure(refusal.error))
        }
    }

    /// Commits submitted commands until ``stop()``, then those that still wait.
    ///
    /// - Throws: The ledger's error when it could not store a group. Nothing is stored after that.
    func run() async throws {
        // If it is cancelled, it ends before it is stopped: waiting and new commands would never be answered.
        defer { abandon() }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.watchFlushes() }
            defer { tasks.cancelAll() }
            // The watch stays outside, because it has to notice that a flush blocks this executor.
            try await withTaskExecutorPreference(ledger.commitExecutor) {
                for await _ in wake.stream {
                    try await commitWaiting()
                }
                try await commitWaiting()
            }
        }
    }

    /// Refuses new commands and lets ``run()`` end once all accepted ones are durable.
    func stop() {
        state.withLockedValue { $0.isOpen = false }
        wake.continuation.finish()
    }

    /// Refuses new commands, and answers all waiting ones that the outcome is unknown: ``run()`` will not be called.
    func abandon() {
        abandon([])
    }

    private func enqueue(_ command: WaitingCommand, isOwn: Bool) -> CommandRefusal? {
        var wakes = false
        let refusal: CommandRefusal? = state.withLockedValue { state in
            guard state.isOpen else {
                return .stopped
            }
            guard isOwn || state.waiting.count < Self.waitingMaximum else {
                return .waitingMaximum
            }
            guard isOwn || !state.isLate else {
                return .lateFlush
            }
            state.waiting.append(command)
            wakes = !state.isAwake
            state.isAwake = true
            return nil
        }
        if wakes {
            wake.continuation.yield()
        }
        return refusal
    }

    /// The group to be flushed next; if it is empty, no flush runs any longer.
    private func takeGroup() -> [WaitingCommand] {
        state.withLockedValue { state in
            let group = state.take(Self.groupMaximum)
            state.flush += 1
            state.isFlushing = !group.isEmpty
            state.isAwake = !group.isEmpty
            state.isLate = false
            return group
        }
    }

    private func commitWaiting() async throws {
        while case let group = takeGroup(), !group.isEmpty {
            try await commit(group, joinable: true)
        }
    }

    /// Refuses commands while a flush takes too long, until the task is cancelled.
    private func watchFlushes() async {
        var seen = 0
        while (try? await time.sleep(for: Self.flushPatience)) != nil {
            let isLate = state.withLockedValue { state in
                defer { seen = state.flush }
                state.isLate = state.isFlushing && state.flush == seen
                return state.isLate
            }
            if isLate {
                logger.warning("A commit of the ledger takes too long; new commands are refused")
            }
        }
    }

    /// Stores the commands and answers each of them once, even if it throws.
    ///
    /// - Parameter joinable: Whether others join them while they are executed.
    private func commit(_ commands: [WaitingCommand], joinable: Bool) async throws {
        let group = Group(commands)
        do {
            let committed = try await store(group, joinable: joinable)
            let durableAt = time.now()
            let flushTime = durableAt.timeIntervalSince(committed.executedAt)
            let count = group.withLockedValue(\.count)
            state.withLockedValue { state in
                state.flushTime = flushTime
                state.expected = min(count + state.waiting.count, Self.groupMaximum)
            }
            acknowledge(committed)
            metrics.committed(commands: count, seconds: durableAt.timeIntervalSince(committed.begunAt))
        } catch let error as TillError {
            let commands = group.withLockedValue { $0 }
            guard commands.count > 1 else {
                return commands.forEach { $0.fail(error) }
            }
            // One command met a row that it cannot read, and the transaction was rolled back: each command is executed
            // again, alone.
            logger.error("A command failed with its group", metadata: ["error": "\(error)"])
            try await commitOneByOne(commands)
        } catch {
            abandon(group.withLockedValue { $0 })
            throw error
        }
    }

    private func commitOneByOne(_ commands: [WaitingCommand]) async throws {
        for index in commands.indices {
            do {
                try await commit([commands[index]], joinable: false)
            } catch {
                abandon(Array(commands[(index + 1)...]))
                throw error
            }
        }
    }

    private func store(_ group: Group, joinable: Bool) async throws -> Committed {
        #if MUTANTS
            answeredEarly.withLockedValue { $0 = 0 }
        #endif
        return try await ledger.commit { ledger in
            try self.prepare(ledger)
            let begun = self.time.now()
            let (log, host) = (CommitLog(for: self.logger), self.ledger.host)
            var context = CommandContext(ledger: ledger, host: host, deliveries: self.deliveries, log: log, now: begun)
            var succeed: [@Sendable () -> Void] = []
            var commands = group.withLockedValue { $0 }
            repeat {
                context.now = self.time.now().roundedToMilliseconds
                try ledger.willRead(commands.compactMap(\.transaction), of: commands.compactMap(\.queue))
                for command in commands {
                    succeed.append(try command.execute(&context))
                }
                commands = joinable ? self.join(group, begunAt: begun) : []
            } while !commands.isEmpty
            assert(context.notifiesAsStored(), "Observers would be notified of other changes than the ledger holds.")
            #if MUTANTS
                if Mutant.answerBeforeCommit.isPlanted || context.isAnsweredEarly {
                    succeed.forEach { $0() }
                    self.answeredEarly.withLockedValue { $0 = succeed.count }
                    succeed = []
                }
                if Mutant.chargeBeforeStored.isPlanted {
                    self.publish(context.effects)
                }
            #endif
            let executedAt = self.time.now()
            context.effects.log = log?.lines ?? []
            return Committed(effects: context.effects, succeed: succeed, begunAt: begun, executedAt: executedAt)
        }
    }

    /// The commands that arrived while the group was executed, for as long as a flush takes: otherwise they would wait
    /// for this flush and for their own. If a flush takes less than the work, some commands are executed while others
    /// are answered. A group of a ledger that hosts share waits for no more commands: the other hosts would wait, too.
    private func join(_ group: Group, begunAt begun: Date) -> [WaitingCommand] {
        for _ in 0..<Self.pausesMaximum {
            let (joined, isGathering) = takeJoining(group, begunAt: begun)
            guard joined.isEmpty, isGathering, !ledger.isShared, let executor = ledger.commitExecutor else {
                return joined
            }
            executor.pause()
        }
        return []
    }

    /// Moves waiting commands into the group, and returns whether it waits for more.
    private func takeJoining(_ group: Group, begunAt begun: Date) -> (joined: [WaitingCommand], isGathering: Bool) {
        let age = time.now().timeIntervalSince(begun)
        return group.withLockedValue { group in
            let (joined, isGathering) = state.withLockedValue { state in
                // The clock may have been set in between.
                guard age >= 0 && age < state.flushTime else {
                    return (joined: [WaitingCommand](), isGathering: false)
                }
                let joined = state.take(Self.groupMaximum - group.count)
                return (joined, state.isGathering(group.count, age: age))
            }
            group += joined
            return (joined, isGathering)
        }
    }

    #if MUTANTS
        /// Commands of the group being stored that have their answer.
        private let answeredEarly = NIOLockedValueBox(0)
    #endif

    private func acknowledge(_ committed: Committed) {
        apply(committed.effects)
        committed.succeed.forEach { $0() }
        publish(committed.effects)
        committed.effects.log.forEach { logger.log(level: CommitLog.level, $0.message, metadata: $0.metadata) }
    }

    /// Answers all waiting commands that the outcome is unknown: a commit that failed may still have happened.
    private func abandon(_ group: [WaitingCommand]) {
        #if MUTANTS
            let group = Array(group.dropFirst(answeredEarly.withLockedValue { $0 }))
        #endif
        let others = state.withLockedValue { state in
            state.isOpen = false
            defer { state.waiting = [] }
            return state.waiting
        }
        let error = TillError(
            .unavailable,
            "The ledger could not be written, so the outcome is unknown; retry with the same identity."
        )
        (group + others).forEach { $0.fail(error) }
    }
}

extension GroupCommit {
    /// Whether commands are refused because a flush takes long.
    var isLate: Bool {
        state.withLockedValue(\.isLate)
    }

    /// Whether commands of clients are taken.
    var isTaking: Bool {
        state.withLockedValue { $0.isOpen && !$0.isLate }
    }

    /// How many commands wait.
    var waitingCount: Int {
        state.withLockedValue { $0.waiting.count }
    }
}
