import FoundationEssentials
import TillEngine
import TillModel

/// The provider as one process of the daemon reaches it. It is slow or unreachable, and executes requests that it did
/// not answer.
// One thread runs the whole simulation, so no two threads access this.
final class HostileProvider: AdjustableProvider, @unchecked Sendable {
    /// How long the daemon waits for an answer.
    static let timeout = Duration.seconds(3)
    /// How long a request may still arrive after the daemon gave it up.
    static let lateMaximum = Duration.seconds(100)
    /// For how long a busy provider takes no calls.
    static let pause = Duration.seconds(2)

    private unowned let world: World
    /// The number of the daemon's host.
    private let host: Int
    private var waiting: [Int: () -> Void] = [:]
    private var lastCall = 0
    private var isCut = false
    /// References of payments whose renewal needed its payer, as this process was answered.
    private var unpaid: Set<String> = []
    /// References of charges that, by the last answer that this process got, wait for their payer.
    private var waitingForPayer: Set<String> = []

    init(world: World, host: Int) {
        self.world = world
        self.host = host
    }

    /// The provider has no settings of its own. It lets the store's settings be changed, as a provider without real
    /// money may.
    let settings: [Setting] = []

    func checkSetting(_ name: String, _ value: String) {}

    func changeSetting(_ name: String, to value: String?) {}

    /// Ends the daemon's process. Requests that it has already sent still arrive.
    func cut() {
        isCut = true
        let ends = waiting.sorted { $0.key < $1.key }
        waiting = [:]
        ends.forEach { $0.value() }
    }

    var payerDeadline: Duration? {
        preparesCharges ? .seconds(3600) : nil
    }

    func news(after cursor: String?) async throws(TillError) -> ProviderNews? {
        nil
    }

    func payerPage(_ request: ChargeRequest, by reference: String) async throws(TillError) -> String {
        let book = world.book
        guard let status = await call(orElse: nil, { book.status(of: reference) }) else {
            throw TillError(.unavailable, "The provider did not answer.")
        }
        guard status == .settled(.payerAction) else {
            throw TillError(.failedPrecondition, "The charge does not wait for its payer.")
        }
        return "the page of \(reference)"
    }

    var preparesCharges: Bool {
        world.profile.preparesCharges
    }

    func prepare(_ request: ChargeRequest, renewing previous: String?) async -> Preparation {
        if isBusy(for: request) {
            return .busy(Self.pause)
        }
        let book = world.book
        book.noteCall(about: request, by: host)
        if let previous, unpaid.contains(previous), !world.profile.isOperated {
            book.violations.append("the renewal after \(previous) needed its payer, and was tried again by itself")
        }
        return await call(orElse: .unknown(reason: "no answer")) {
            .ready(reference: book.prepare(request, renewing: previous))
        }
    }

    func charge(_ request: ChargeRequest, by reference: String) async -> ChargeOutcome {
        if isBusy(for: request) {
            return .busy(Self.pause)
        }
        let book = world.book
        book.noteCall(about: request, by: host)
        let prepared = preparesCharges ? reference : nil
        if !isCut {
            book.sent(request, isStored: await world.disk.holdsCharge(request, by: prepared))
            world.note("daemon: asks to charge \(request.paymentID.text)\(prepared.map { " as \($0)" } ?? "")")
        }
        let outcome = await call(orElse: .unknown(reason: "no answer")) {
            prepared.map { book.charge(request, by: $0) } ?? book.charge(request)
        }
        noteAnswer(.settled(outcome), about: reference)
        return outcome
    }

    func query(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        let book = world.book
        book.noteCall(about: request, by: host)
        let isPrepared = preparesCharges
        let status = await call(orElse: .unreachable(reason: "no answer")) {
            isPrepared ? book.status(of: reference) : book.status(request.paymentID)
        }
        noteAnswer(status, about: reference)
        return status
    }

    private func noteAnswer(_ status: ChargeStatus, about reference: String) {
        if status == .settled(.payerAction) {
            waitingForPayer.insert(reference)
        } else {
            waitingForPayer.remove(reference)
        }
    }

    func withdraw(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        let book = world.book
        book.noteCall(about: request, by: host)
        book.noteWithdrawal(of: request.paymentID)
        let isForPayer = waitingForPayer.contains(reference)
        let status = await call(orElse: .unreachable(reason: "no answer")) { book.withdraw(reference) }
        if isForPayer, case .settled(.declined) = status, let previous = book.prepared[reference]?.previous,
            await world.disk.hasOpenCharge(reference)
        {
            unpaid.insert(previous)
        }
        return status
    }

    func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        let book = world.book
        if !isCut {
            book.sent(request, isStored: await world.disk.holdsRefund(request))
            world.note("daemon: asks to refund \(request.refundID.text)")
        }
        return await call(orElse: .unknown(reason: "no answer")) { book.refund(request) }
    }

    func queryRefund(_ request: ProviderRefundRequest) async -> ChargeStatus {
        let book = world.book
        return await call(orElse: .unreachable(reason: "no answer")) { book.refundStatus(request.refundID) }
    }

    func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        ProviderRecordPage(Array(world.book.charges), after: cursor, limit: 32)
    }

    func discard(_ prepared: PreparedCharge) async throws(TillError) {}

    func authorizeRestore(application: String, account: String) async -> PaymentError? {
        await call(orElse: PaymentError(.cloudServiceNetworkConnectionFailed, "No answer.")) { nil }
    }

    /// Whether the provider refuses a call because it has too many. A keyed provider is never busy here, so that the
    /// schedules of its seeds stay as they were.
    private func isBusy(for request: ChargeRequest) -> Bool {
        guard preparesCharges, !isCut, world.scheduler.random.chance(world.profile.providerFaults / 8) else {
            return false
        }
        world.book.refuse(request)
        return true
    }

    /// Sends a request that the provider executes by `work`: once, twice, late or never, with or without an answer.
    private func call<Answer: Sendable>(orElse none: Answer, _ work: @escaping () -> Answer) async -> Answer {
        guard !isCut else {
            return none
        }
        let fate = world.providerFate()
        let scheduler = world.scheduler
        return await withCheckedContinuation { continuation in
            lastCall += 1
            let number = lastCall
            var answer = none
            waiting[number] = { continuation.resume(returning: answer) }
            let timeout = scheduler.after(Self.timeout) { [self] in waiting.removeValue(forKey: number)?() }
            for (index, delay) in fate.arrivals.enumerated() {
                scheduler.after(delay, isElsewhere: true) { [self] in
                    let result = work()
                    guard index == 0, let back = fate.answer else {
                        return
                    }
                    scheduler.after(back) { [self] in
                        guard let end = waiting.removeValue(forKey: number) else {
                            return
                        }
                        scheduler.cancel(timeout)
                        answer = result
                        end()
                    }
                }
            }
        }
    }
}
