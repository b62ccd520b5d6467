/// What becomes of a request to the provider.
struct ProviderFate {
    /// When it arrives: never, once or more often.
    var arrivals: [Duration]
    /// How long after the first arrival the answer is back; nil for never.
    var answer: Duration?
}

/// What becomes of a flush of the disk.
struct FlushFate {
    var delay: Duration
    var fails: Bool
}

/// What becomes of a message between a client and the daemon.
struct MessageFate {
    var delay: Duration
    /// Whether the connection is lost instead.
    var isCut: Bool
    /// When another copy arrives by another connection, if one does.
    var copy: Duration?
}

extension World {
    func providerFate() -> ProviderFate {
        let usual = random.duration(0...20)
        guard areFaultsOn, random.chance(profile.providerFaults) else {
            return ProviderFate(arrivals: [usual], answer: random.duration(0...20))
        }
        return switch random.below(6) {
        case 0: ProviderFate(arrivals: [], answer: nil)
        case 1: ProviderFate(arrivals: [usual], answer: nil)
        case 2: ProviderFate(arrivals: [random.duration(3000...90_000)], answer: nil)
        case 3: ProviderFate(arrivals: [usual, usual + random.duration(0...5000)], answer: random.duration(0...20))
        case 4: ProviderFate(arrivals: [usual, usual + random.duration(0...90_000)], answer: nil)
        default: ProviderFate(arrivals: [usual], answer: random.duration(100...4000))
        }
    }

    func flushFate() -> FlushFate {
        let isSlow = areFaultsOn && random.chance(profile.slowFlushes)
        return FlushFate(
            delay: isSlow ? random.duration(20...2000) : random.duration(0...profile.flushMaximum),
            fails: areFaultsOn && random.chance(profile.failedFlushes)
        )
    }

    /// How long after readers see a commit the daemon's writer learns of it.
    func acknowledgementDelay() -> Duration {
        areFaultsOn && random.chance(profile.lateAcknowledgements) ? random.duration(0...20) : .zero
    }

    func messageFate() -> MessageFate {
        guard areFaultsOn else {
            return MessageFate(delay: random.duration(0...2), isCut: false)
        }
        let isSlow = random.chance(profile.slowMessages)
        return MessageFate(
            delay: isSlow ? random.duration(2...3000) : random.duration(0...2),
            isCut: random.chance(profile.cuts),
            copy: random.chance(profile.copies) ? random.duration(0...2000) : nil
        )
    }
}
