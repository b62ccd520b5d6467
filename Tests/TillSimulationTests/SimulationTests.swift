import Testing
import TillInvariants
@testable import TillSimulation

@Suite struct SimulationTests {
    @Test(arguments: (0..<8).map { UInt64($0) })
    func everyPromiseHoldsDespiteFaults(part: UInt64) {
        for seed in (1 + 50 * part)...(50 * (part + 1)) {
            let outcome = Simulation.run(seed: seed)
            #expect(outcome.violations == [], "Replay it with: till-simulate --replay \(seed)")
        }
    }

    /// Daemons are killed and paused while those of other hosts continue with the same ledger.
    @Test(arguments: [2, 3, 4])
    func everyPromiseHoldsIfHostsShareALedger(hosts: Int) {
        var work = SharedWork()
        for seed in UInt64(1)...60 {
            let outcome = Simulation.run(seed: seed, hosts: hosts)
            #expect(outcome.violations == [], "Replay it with: till-simulate --hosts \(hosts) --replay \(seed)")
            work.add(outcome.sharedWork)
        }
        for (kind, count) in work.counts {
            #expect(count > 0, "\(kind)")
        }
    }

    /// In seed 73171 the machine sleeps for a day between the query of a charge, which the provider does not know, and the
    /// charge. In seed 56180 the clock is advanced while the provider is asked for a refund. In seed 3266 the wall clock is
    /// set back by a year while a charge waits for its payer. In seed 30197465 the daemon withdraws a renewal without an
    /// answer that the renewal needs its payer.
    @Test(arguments: [UInt64(73171), 56180, 3266, 30_197_465])
    func seedsThatOnceFailedPass(seed: UInt64) {
        #expect(Simulation.run(seed: seed).violations == [])
    }

    @Test func everyInvariantIsExamined() {
        var examined: [Invariant: Int] = [:]
        for seed in UInt64(1)...400 {
            examined.merge(Simulation.run(seed: seed).examined, uniquingKeysWith: +)
        }
        for invariant in Invariant.allCases where !Invariant.ofContent.contains(invariant) {
            #expect(examined[invariant, default: 0] > 0, "\(invariant) was never examined")
        }
    }

    @Test func clockAdvancesOfEveryKindAreExamined() {
        var advances = ExaminedAdvances()
        for seed in UInt64(1)...200 {
            advances.add(Simulation.run(seed: seed).advances)
        }
        for (kind, count) in advances.counts {
            #expect(count > 0, "of \(kind)")
        }
    }

    @Test func preparedChargesOfEveryFateOccur() {
        var charges: [ChargeFate: Int] = [:]
        for seed in UInt64(1)...400 {
            charges.merge(Simulation.run(seed: seed).preparedCharges, uniquingKeysWith: +)
        }
        for fate in ChargeFate.allCases {
            #expect(charges[fate, default: 0] > 0, "\(fate.rawValue)")
        }
    }

    @Test(arguments: [UInt64(3), 7, 11, 19, 23])
    func theSameSeedIsTheSameSchedule(seed: UInt64) {
        let first = Simulation.run(seed: seed, keepsTrace: true)
        let second = Simulation.run(seed: seed, keepsTrace: true)
        #expect(first.digest == second.digest)
        #expect(first.trace == second.trace)
        #expect(!first.trace.isEmpty)
    }

    @Test(arguments: UInt64(1)...20)
    func timersOfOtherMachinesDoNotWaitForASleepingMachine(seed: UInt64) {
        let scheduler = Scheduler(seed: seed, trace: Trace(isKept: false))
        var time: Duration?
        scheduler.after(.seconds(1), isElsewhere: true) { time = scheduler.now }
        scheduler.after(.seconds(1)) { scheduler.leap(.seconds(3600)) }
        scheduler.run(stepsMaximum: 10, timeMaximum: .seconds(10)) { time != nil }
        #expect(time == .seconds(1))
    }

    @Test func anotherSeedIsAnotherSchedule() {
        let digests = Set((UInt64(1)...50).map { Simulation.run(seed: $0).digest })
        #expect(digests.count == 50)
    }

    @Test(arguments: [
        (Flaw.lyingDisk, "acknowledgedPaymentsAreKept", 1), (.forgetfulProvider, "paymentsAreChargedAtMostOnce", 1),
        (.boastfulClients, "finishedStaysFinished", 1), (.unfencedHosts, "acknowledgedPaymentsAreKept", 3),
    ])
    func faultsPlantedInTheSurroundingsAreFound(flaw: Flaw, invariant: String, hosts: Int) {
        let violations = (UInt64(1)...300).lazy
            .flatMap { Simulation.run(seed: $0, hosts: hosts, flaw: flaw).violations }
        #expect(violations.contains { $0.hasPrefix(invariant) })
    }
}
