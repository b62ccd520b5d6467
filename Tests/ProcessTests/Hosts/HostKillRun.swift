import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TestValues
import TillClient
import TillModel

/// Buys at several hosts, while hosts are killed, are paused or lose their database, and calls of the provider fail at random.
struct HostKillRun {
    enum Accident {
        case none, kill, pause, partition
    }

    static let names = ["a", "b", "c"]
    /// How long a call may take at a host while another one is paused: a commit that it was paused in holds up the others for
    /// three seconds.
    private static let patience = Duration.seconds(5)
    /// How long a call may take at a host whose database is there again: an attempt to connect has to end first.
    private static let patienceAfterPartition = Duration.seconds(10)

    private let hosts: HostSite
    private var provider: any HostProvider
    private let accidents: [Accident]
    /// Of pauses and partitions, in milliseconds.
    private let durations: ClosedRange<Int>
    private var random: SplitMix64
    private var daemons: [String: ChildProcess]
    private var payments: [Payment] = []
    private(set) var counts = HostRuns.Counts()
    /// The host that lost its database in the last round. It needs time to replace all its connections.
    private var lastCut: String?

    init(
        at hosts: HostSite,
        _ accidents: [Accident],
        lasting durations: ClosedRange<Int>,
        _ random: SplitMix64
    ) async throws {
        self.hosts = hosts
        self.accidents = accidents
        self.durations = durations
        self.random = random
        provider = hosts.isSimulated ? SimulatedHostProvider(hosts) : StripeHostProvider(hosts)
        daemons = Dictionary(uniqueKeysWithValues: zip(Self.names, try await hosts.start(all: Self.names)))
    }

    /// Adds payments at hosts, lets payers act, and lets a host fail; it is started again at the end.
    ///
    /// - Throws: If a host that did not fail adds nothing in time.
    mutating func round() async throws {
        provider.plantFault(&random)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            // A call that takes long must not hold up the accidents.
            try? await add(at: anyHost(), within: .seconds(2))
        }
        await Alarm.after(.milliseconds(Int.random(in: 0...300, using: &random)))
        let victim = anyHost(besides: lastCut)
        lastCut = nil
        switch accidents[Int.random(in: 0..<accidents.count, using: &random)] {
        case .none: break
        case .kill:
            counts.kills += 1
            await daemons[victim]?.killNow()
            await letPayersAct(besides: victim)
            daemons[victim] = try await hosts.start(victim)
        case .pause:
            counts.pauses += 1
            daemons[victim]?.signal(SIGSTOP)
            defer { daemons[victim]?.signal(SIGCONT) }
            try await outlast(victim)
            await letPayersAct(besides: victim)
        case .partition:
            counts.partitions += 1
            lastCut = victim
            try hosts.network?.cut(victim)
            try await outlast(victim)
            try hosts.network?.heal(victim)
            try await addAgain(at: victim)
        }
        await letPayersAct(besides: nil)
    }

    /// Adds a payment at each other host, which waits for the victim no longer than it has to, and lets time pass.
    private mutating func outlast(_ victim: String) async throws {
        for name in Self.names where name != victim {
            try await add(at: name, within: Self.patience)
        }
        await Alarm.after(.milliseconds(Int.random(in: durations, using: &random)))
    }

    private mutating func add(at host: String, within patience: Duration) async throws {
        try await add(newPayment(), at: host, within: patience)
    }

    /// Adds a payment at a host whose database is there again. Until the host has noticed that, it refuses calls.
    private mutating func addAgain(at host: String) async throws {
        let payment = newPayment()
        let end = ContinuousClock.now + Self.patienceAfterPartition
        while true {
            do {
                return try await add(payment, at: host, within: Self.patienceAfterPartition)
            } catch {
                guard ContinuousClock.now < end else {
                    throw error
                }
                await Alarm.after(.milliseconds(50))
            }
        }
    }

    private func add(_ payment: Payment, at host: String, within patience: Duration) async throws {
        _ = try await hosts.withQueue(host, callTimeout: patience) { try await $0.add(payment) }
    }

    private mutating func newPayment() -> Payment {
        let payment = Payment(productID: provider.product(&random))
        payments.append(payment)
        counts.payments += 1
        return payment
    }

    private mutating func anyHost(besides other: String? = nil) -> String {
        Self.anyHost(besides: other, using: &random)
    }

    static func anyHost(besides other: String? = nil, using random: inout SplitMix64) -> String {
        let names = names.filter { $0 != other }
        return names[Int.random(in: 0..<names.count, using: &random)]
    }

    private mutating func letPayersAct(besides away: String?) async {
        let host = Self.names.first { $0 != away } ?? Self.names[0]
        await provider.letPayersAct(on: payments.map(\.id), at: host, &random)
    }

    /// Lets everything end: nothing fails any more, and payers pay.
    ///
    /// - Returns: What differs between the hosts and the provider, in sentences.
    mutating func settle() async throws -> [String] {
        provider.endFaults()
        let queue = hosts.queue(Self.names[0])
        for payment in payments {
            // A payment that was not answered may not have been stored.
            _ = try await queue.add(payment)
        }
        await queue.close()
        var ends: [UUID: Set<TransactionState>] = [:]
        for name in Self.names {
            let store = hosts.store(name)
            for id in payments.map(\.id) {
                while true {
                    let state = try await store.explanation(ofTransaction: id).transaction.state
                    if state.isFinal {
                        ends[id, default: []].insert(state)
                        break
                    }
                    await letPayersAct(besides: nil)
                    await Alarm.after(.milliseconds(100))
                }
            }
            await store.close()
        }
        return differences(ends, try await provider.charges())
    }

    private func differences(_ ends: [UUID: Set<TransactionState>], _ charges: [UUID: Int]) -> [String] {
        payments.map(\.id).compactMap { payment in
            let count = charges[payment] ?? 0
            let states = ends[payment] ?? []
            let isRight = states == (count == 1 ? [.purchased] : [.failed]) && count <= 1
            return isRight ? nil : "\(payment.text) is \(states), and was charged \(count) times"
        }
    }
}
