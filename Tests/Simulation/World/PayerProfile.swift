import TestValues
import TillEngine
import TillMemoryLedger

/// How often charges need their payer or are on their way, and how long the daemon waits for that. Chances are in 1000.
struct PayerProfile {
    /// Charges that need their payer.
    var needed = 0
    /// Charges of other payers whose money is on its way for some time.
    var onTheirWay = 0
    /// Whether payers take hours, and money takes days. The machine then sleeps most of the time.
    var areSlow = false
    /// How long the daemon waits for a payer.
    var deadline = Duration.seconds(60)
    /// The maximum number of steps between two accidents. If it is high, some happen while payments wait for their payers.
    var accidentDistance = Accidents.distanceMaximum

    /// How long money is on its way at most, in milliseconds.
    var transferMaximum: Int {
        areSlow ? 48 * 3_600_000 : 120_000
    }

    var text: String {
        "need their payer \(needed), on their way \(onTheirWay), slow: \(areSlow), deadline \(deadline)"
    }
}

extension PayerProfile {
    init(random: inout SplitMix64) {
        needed = random.number(in: 100...900)
        onTheirWay = [0, 100, 400][random.below(3)]
        areSlow = random.chance(150)
        let seconds = areSlow ? [3600, 23 * 3600] : [30, 60, 180]
        deadline = .seconds(seconds[random.below(seconds.count)])
        accidentDistance *= random.chance(500) ? 1 : 10
    }
}

extension World {
    /// How soon a payer acts on the provider's page; nil if never.
    ///
    /// - Parameter isRenewal: Whether nobody shows the page to the payer, who may still learn of it from the bank.
    func payerDelay(isRenewal: Bool) -> Duration? {
        guard let payers = profile.payers else {
            return nil
        }
        let deadline = Int(payers.deadline / .milliseconds(1))
        guard !isRenewal else {
            return random.chance(400) ? random.duration(0...3000) : nil
        }
        return switch random.below(8) {
        case 0: nil
        case 1, 2: random.duration(0...2000)
        case 3: random.duration(0...30_000)
        // While the daemon withdraws the charge.
        case 4, 5: random.duration(deadline - 2000...deadline + min(deadline / 60, 50_000) + 2000)
        default: random.duration(0...deadline)
        }
    }

    /// How long money is on its way.
    func transferTime() -> Duration {
        let maximum = profile.payers?.transferMaximum ?? 0
        return random.duration(0...(random.chance(500) ? maximum / 20 : maximum))
    }

    /// The time between two looks for work. Processes that wait long for payers, or for a review, look seldom.
    func look(every usual: Duration) -> Duration {
        guard let payers = profile.payers, payers.areSlow || settlingTime > .seconds(300) else {
            return usual
        }
        return .seconds(20)
    }

    /// Whether subscriptions end although payments still wait for their payers.
    var endsSubscriptionsEarly: Bool {
        profile.payers.map { settlingTime > .seconds($0.areSlow ? 7200 : 30) } ?? false
    }

    /// Has the machine sleep for hours, again and again, if payers are slow.
    func beginToSleep() {
        guard profile.payers?.areSlow == true else {
            return
        }
        scheduler.after(random.duration(60_000...900_000)) { [self] in
            scheduler.leap(random.duration(600_000...6 * 3_600_000))
            beginToSleep()
        }
    }

    /// Whether the daemon knows how every charge ended. A charge that the provider knows by a name needs no operator: the
    /// daemon asks about it again.
    func knowsAllCharges() async -> Bool {
        guard profile.payers != nil else {
            return true
        }
        let charges = try? await disk.durable.read { try $0.charges(afterKey: 0, limit: .max) }
        return charges?.allSatisfy { $0.state.isSettled && ($0.state != .needsReview || $0.reference == nil) } ?? false
    }
}
