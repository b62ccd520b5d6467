/// How the provider handles one request.
struct ProviderFate {
    /// When the request arrives; empty if it never does.
    var arrivals: [Duration]
    /// How long after the first arrival the answer arrives; nil if it never does.
    var answer: Duration?
}

/// How a flush of the disk ends.
struct FlushFate {
    var delay: Duration
    var fails: Bool
}

/// How the network handles one message between a client and the daemon.
struct MessageFate {
    var delay: Duration
    /// Whether the connection is lost instead of delivering the message.
    var isCut: Bool
    /// When another connection delivers a copy of the message; nil if none does.
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

    /// The time from a commit's visibility to readers until the daemon's writer learns of it.
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
