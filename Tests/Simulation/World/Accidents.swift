import FoundationEssentials
import TestValues

/// The crashes, stops, pauses, kills, clock jumps and sleeps of a schedule, and the steps after which they happen.
struct Accidents {
    private enum Kind {
        case crash, stop, pause, kill, clockJump, sleep
    }

    /// The maximum number of steps between two accidents, unless payers take their time.
    static let distanceMaximum = 400

    /// The durations of pauses, in milliseconds: a charge is left to its host for five seconds.
    private static let pauses = 10...60_000
    private static let jumps: [TimeInterval] = [1, 60, 3600, 86_400, 365 * 86_400, 3650 * 86_400]

    private var kinds: [Kind] = []
    /// The maximum number of steps between two accidents of this schedule.
    let distance: Int
    private var next = 0

    init(_ profile: Profile, random: inout SplitMix64) {
        kinds =
            Array(repeating: .crash, count: profile.crashes) + Array(repeating: .stop, count: profile.stops)
            + Array(repeating: .pause, count: profile.pauses)
            + Array(repeating: .kill, count: profile.kills)
            + Array(repeating: .clockJump, count: profile.clockJumps)
            + Array(repeating: .sleep, count: profile.sleeps)
        distance = profile.payers?.accidentDistance ?? Self.distanceMaximum
        next = random.number(in: 1...distance)
    }

    /// Whether all accidents have happened.
    var areOver: Bool {
        kinds.isEmpty
    }

    mutating func happen(atStep step: Int, _ world: World) {
        guard step >= next, !kinds.isEmpty else {
            return
        }
        next = step + world.random.number(in: 1...distance)
        switch kinds.remove(at: world.random.below(kinds.count)) {
        case .crash:
            if let daemon = world.anyDaemon() {
                world.note("\(daemon.name) crashes")
                daemon.crash()
            }
        case .stop:
            world.anyDaemon()?.stop()
        case .pause:
            world.pauseDaemon(for: world.random.duration(Self.pauses))
        case .kill:
            world.random.element(of: world.shoppers)?.kill()
        case .clockJump:
            let jump = world.random.element(of: Self.jumps) ?? 0
            world.clock.offset = world.random.chance(500) ? jump : -jump
            world.note("the wall clock is set to \(world.clock.offset) s from the true time")
        case .sleep:
            world.scheduler.leap(.seconds(world.random.number(in: 60...30 * 3600)))
        }
    }
}
