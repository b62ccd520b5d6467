import TestValues
import TillModel

/// The properties that vary by seed: the applications, the store's behaviour, and how often each kind of fault occurs.
/// Chances are in 1000.
///
/// Most schedules have only a few kinds of fault, so that each kind also occurs alone.
struct Profile {
    var shoppers = 1
    var applications = 1
    /// The daemons that share the ledger.
    var hosts = 1
    /// The number of actions of each shopper.
    var actions = 3
    /// The maximum pause between two actions, in milliseconds.
    var pauseMaximum = 50
    var flushMaximum = 3
    var slowFlushes = 0
    var failedFlushes = 0
    var slowMessages = 0
    var cuts = 0
    var copies = 0
    var providerFaults = 0
    var declines = 0
    /// Whether the provider prepares charges before they are made.
    var preparesCharges = false
    /// How payers behave; nil if no charge needs its payer or is on its way.
    var payers: PayerProfile?
    /// Ends of the daemon: crashes, and ordinary stops.
    var crashes = 0
    var stops = 0
    /// Pauses of a daemon, while everything else continues.
    var pauses = 0
    /// Kills of a shopper's process.
    var kills = 0
    /// Changes of the wall clock.
    var clockJumps = 0
    /// Sleeps of the machine, each for hours.
    var sleeps = 0
    /// How often an operator advances the store's clock, by days to years, while faults occur.
    var advances = 0
    /// How often readers see a commit some milliseconds before the daemon's writer learns of it.
    var lateAcknowledgements = 0
    /// Whether some payments wait for approval.
    var asksToBuy = false
    /// Whether subscriptions are bought, and how fast they renew.
    var subscribes = false
    var timeRate = TimeRate.oneRenewalEveryTenSeconds
    var hasGracePeriod = false
    /// How often an operator acts on the store.
    var operatorActs = 0
    /// How long receipts and histories of finished purchases are kept; nil to keep all of them.
    var retention: Duration?

    /// Whether a charge may be given up because its age is unknown or too high by the store's clock.
    var mayNeedReview: Bool {
        clockJumps > 0 || sleeps > 0 || advances > 0 || payers != nil
    }

    /// Whether an operator acts on the store.
    var isOperated: Bool {
        operatorActs > 0 || advances > 0
    }

    /// Whether subscriptions renew so seldom that the simulation does not wait for it.
    var renewsSeldom: Bool {
        timeRate == .monthlyRenewalEveryHour || timeRate == .realTime
    }

    /// A description for traces.
    var text: String {
        "\(hosts) hosts, \(pauses) pauses; \(shoppers) shoppers of \(applications) applications, \(actions) actions each; in 1000: slow flushes "
            + "\(slowFlushes), failed flushes \(failedFlushes), slow messages \(slowMessages), cuts \(cuts), copies "
            + "\(copies), provider faults \(providerFaults), declines \(declines), prepares charges: \(preparesCharges); crashes \(crashes), stops "
            + "\(stops), kills \(kills), clock jumps \(clockJumps), sleeps \(sleeps), clock advances \(advances), late acknowledgements "
            + "\(lateAcknowledgements); asks to buy: \(asksToBuy), "
            + "subscribes: \(subscribes), time rate: \(timeRate), grace period: \(hasGracePeriod), operator acts: \(operatorActs)"
            + (retention.map { ", retention: \($0)" } ?? "")
            + (payers.map { "; \($0.text)" } ?? "")
    }
}

extension Profile {
    /// - Parameter hosts: The daemons that share the ledger.
    init(hosts: Int, random: inout SplitMix64) {
        self.init(random: &random)
        if hosts > 1 {
            share(among: hosts, random: &random)
        }
    }

    /// Leaves out what hosts cannot share: clocks that differ. Some hosts have a provider like Stripe, and others the simulated store,
    /// with its clock.
    private mutating func share(among hosts: Int, random: inout SplitMix64) {
        self.hosts = hosts
        clockJumps = 0
        sleeps = 0
        if random.chance(500) {
            advances = 0
            preparesCharges = true
            if payers == nil, random.chance(500) { payers = PayerProfile(random: &random) }
        }
        if advances == 0 {
            timeRate = payers?.areSlow == true ? .monthlyRenewalEveryHour : .oneRenewalEveryTenSeconds
        }
        if random.chance(700) { crashes += random.number(in: 1...4) }
        if random.chance(700) { pauses = random.number(in: 1...4) }
    }

    private init(random: inout SplitMix64) {
        shoppers = random.number(in: 1...3)
        applications = random.number(in: 1...min(2, shoppers))
        actions = random.number(in: 2...6)
        pauseMaximum = [5, 50, 500, 3000][random.below(4)]
        flushMaximum = [0, 3, 20][random.below(3)]
        if random.chance(300) { slowFlushes = random.number(in: 20...300) }
        if random.chance(150) { failedFlushes = random.number(in: 5...60) }
        if random.chance(400) { slowMessages = random.number(in: 20...300) }
        if random.chance(500) { cuts = random.number(in: 5...120) }
        if random.chance(300) { copies = random.number(in: 20...200) }
        if random.chance(600) { providerFaults = random.number(in: 50...700) }
        if random.chance(300) { declines = random.number(in: 50...500) }
        if random.chance(700) { crashes = random.number(in: 1...4) }
        if random.chance(150) { stops = 1 }
        if random.chance(300) { kills = random.number(in: 1...2) }
        asksToBuy = random.chance(150)
        if random.chance(400) { operatorActs = random.number(in: 1...8) }
        // If a clock is set back while the machine sleeps for hours, no clock shows how long that took.
        switch random.below(8) {
        case 0: clockJumps = random.number(in: 1...3)
        case 1: sleeps = random.number(in: 1...2)
        default: break
        }
        if clockJumps == 0, sleeps == 0, random.chance(300) { advances = random.number(in: 1...4) }
        if random.chance(300) { lateAcknowledgements = random.number(in: 50...500) }
        // Years cause tens of thousands of renewals, and hours cause thousands of fast ones.
        subscribes = clockJumps == 0 && random.chance(advances > 0 ? 800 : 400)
        timeRate = random.chance(500) ? .oneRenewalEveryTwoSeconds : .oneRenewalEveryTenSeconds
        if sleeps > 0 { timeRate = .monthlyRenewalEveryHour }
        if advances > 0 { timeRate = .realTime }
        hasGracePeriod = random.chance(300)
        // Drawn from a copy, so that the other properties of a seed stay as they were.
        var copy = random
        preparesCharges = copy.below(3) == 1
        if preparesCharges, copy.chance(500) {
            let payers = PayerProfile(random: &copy)
            if payers.areSlow, advances == 0 { timeRate = .monthlyRenewalEveryHour }
            self.payers = payers
        }
        if copy.chance(400) { retention = [.seconds(1), .seconds(60), .seconds(24 * 3600)][copy.below(3)] }
    }
}
