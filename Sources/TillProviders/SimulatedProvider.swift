package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel

/// A provider that moves no money: it charges at once, keeps its own record, durably if it has a directory for it, and
/// simulates faults.
///
/// It remembers every identity permanently, unless it is set to forget, and charges for each at most once. Hosts that share a
/// record are one provider; each simulates timeouts on its own.
package final class SimulatedProvider: KeyedProvider {
    private struct State {
        var faults: SimulatedFaults
        /// The identities whose first call has timed out.
        var timedOut: Set<SimulatedEntry.Key> = []
        /// Calls that take effect only later, and their dates.
        var late: [SimulatedEntry.Key: (call: SimulatedCall, date: Date)] = [:]
    }

    private let startFaults: SimulatedFaults
    private let time: any TimeSource
    private let store: any SimulatedStore
    /// Nil for a record that is not in a file.
    private let file: SimulatedFileStore?
    private let state: NIOLockedValueBox<State>

    /// A provider whose record is in a file, and all of it in memory too, about 300 bytes a charge.
    ///
    /// - Parameter directory: The existing directory of the record.
    package convenience init(
        directory: String,
        faults: SimulatedFaults,
        time: any TimeSource = SystemTime()
    ) throws(TillError) {
        let file = try SimulatedFileStore(directory: directory)
        self.init(store: file, file: file, faults: faults, time: time)
    }

    /// A provider whose record is kept in memory only.
    package convenience init(faults: SimulatedFaults = SimulatedFaults(), time: any TimeSource = SystemTime()) {
        self.init(store: SimulatedFileStore(), faults: faults, time: time)
    }

    /// A provider whose record is in `store`.
    package convenience init(store: any SimulatedStore, faults: SimulatedFaults, time: any TimeSource) {
        self.init(store: store, file: nil, faults: faults, time: time)
    }

    private init(store: any SimulatedStore, file: SimulatedFileStore?, faults: SimulatedFaults, time: any TimeSource) {
        self.store = store
        self.file = file
        startFaults = faults
        self.time = time
        state = NIOLockedValueBox(State(faults: faults))
    }

    /// Charges that a page of the record has.
    package static let recordPage = 1024

    /// Watches the record: without it, charges are no longer possible.
    package func run() async throws {
        try await store.watch()
    }

    /// The bytes of the record's file now; 0 without a file. Later charges follow them and change none of them.
    package func recordByteCount() throws(TillError) -> Int {
        try file?.recordByteCount() ?? 0
    }

    package func charge(_ request: ChargeRequest) async -> ChargeOutcome {
        await carryOut(.charge(request), of: request.productID, isDeclined: faults.declined.contains(request.productID))
    }

    package func query(_ paymentID: UUID) async -> ChargeStatus {
        await query(.payment(paymentID), ofPayment: paymentID)
    }

    package func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        await finishLate()
        let charge: SimulatedCharge?
        do {
            charge = try await store.charge(request.paymentID)
        } catch {
            return .unknown(reason: Self.unreadable)
        }
        guard let product = charge?.productID else {
            return .declined(Self.declined("The provider does not know the charge.", code: "charge_missing"))
        }
        return await carryOut(.refund(request), of: product, isDeclined: faults.declinedRefunds.contains(product))
    }

    package func queryRefund(_ refundID: UUID) async -> ChargeStatus {
        await query(.refund(refundID), ofPayment: nil)
    }

    package func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        await finishLate()
        return try await store.record(after: cursor)
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        guard faults.refusedRestores.contains(application) else {
            return nil
        }
        return PaymentError(
            .cloudServiceNetworkConnectionFailed,
            "The provider refused to restore purchases.",
            reason: .unreachable
        )
    }

    private func carryOut(_ call: SimulatedCall, of product: String, isDeclined: Bool) async -> ChargeOutcome {
        await finishLate()
        let faults = faults
        if faults.unreachable.contains(product) {
            return .unknown(reason: "the provider does not answer")
        }
        if state.withLockedValue({ $0.late[call.key] != nil }) {
            return .unknown(reason: "the provider is still processing it")
        }
        if faults.slow.contains(product) {
            try? await time.sleep(for: faults.delay)
        }
        if isDeclined {
            return .declined(Self.declined("The provider declined the payment.", code: call.declineCode))
        }
        if faults.timeoutBeforeEffect.contains(product), timesOut(call.key) {
            return .unknown(reason: "the provider timed out")
        }
        if faults.timeoutDuringEffect.contains(product), timesOut(call.key) {
            let date = time.now().addingTimeInterval(faults.delay / .seconds(1))
            state.withLockedValue { $0.late[call.key] = (call, date) }
            return .unknown(reason: "the provider timed out")
        }
        let outcome = await store.save(call, at: time.now(), forgetsSince: forgetsSince).outcome
        if faults.timeoutAfterEffect.contains(product), case .succeeded = outcome, timesOut(call.key) {
            return .unknown(reason: "the provider timed out")
        }
        return outcome
    }

    /// - Parameter paymentID: The payment whose product decides whether the provider answers.
    private func query(_ key: SimulatedEntry.Key, ofPayment paymentID: UUID?) async -> ChargeStatus {
        await finishLate()
        do {
            let found = try await store.entry(key, forgetsSince: forgetsSince)
            if try await isUnreachable(paymentID ?? found?.paymentID) {
                return .unreachable(reason: "the provider does not answer")
            }
            return found.map { .settled(.succeeded(reference: $0.reference)) } ?? .notFound
        } catch {
            return .unreachable(reason: Self.unreadable)
        }
    }

    private static let unreadable = "the provider's record cannot be used"

    private func isUnreachable(_ paymentID: UUID?) async throws(TillError) -> Bool {
        let products = faults.unreachable
        guard let paymentID, !products.isEmpty else {
            return false
        }
        return try await store.charge(paymentID).map { products.contains($0.productID) } ?? false
    }

    /// Carries out calls that were to take effect by now.
    private func finishLate() async {
        let now = time.now()
        let due = state.withLockedValue { state in
            let due = state.late.filter { $0.value.date <= now }
            due.keys.forEach { state.late[$0] = nil }
            return due.values.map(\.call)
        }
        for call in due {
            _ = await store.save(call, at: now, forgetsSince: forgetsSince)
        }
    }

    private var faults: SimulatedFaults {
        state.withLockedValue { $0.faults }
    }

    /// Identities from before this date are forgotten.
    private var forgetsSince: Date? {
        faults.forgetsKeys ? time.now().addingTimeInterval(-SimulatedBook.memory) : nil
    }

    private func timesOut(_ key: SimulatedEntry.Key) -> Bool {
        state.withLockedValue { $0.timedOut.insert(key).inserted }
    }

    private static func declined(_ message: String, code: String) -> PaymentError {
        PaymentError(.unknown, message, reason: .providerDeclined, providerCode: code)
    }
}

extension SimulatedProvider: AdjustableProvider {
    package var settings: [Setting] {
        let faults = faults
        return SimulatedFaults.Key.allCases.map { key in
            Setting(
                name: key.rawValue,
                value: faults[key],
                domain: key.domain,
                isChanged: faults[key] != startFaults[key]
            )
        }
    }

    package func checkSetting(_ name: String, _ value: String) throws(TillError) {
        var faults = startFaults
        try faults.set(try Self.key(name), to: value)
    }

    package func changeSetting(_ name: String, to value: String?) throws(TillError) {
        let key = try Self.key(name)
        let value = value ?? startFaults[key]
        try checkSetting(name, value)
        state.withLockedValue { try? $0.faults.set(key, to: value) }
    }

    private static func key(_ name: String) throws(TillError) -> SimulatedFaults.Key {
        guard let key = SimulatedFaults.Key(rawValue: name) else {
            throw TillError(.invalidArgument, "The simulated provider has no setting \(name).")
        }
        return key
    }
}
