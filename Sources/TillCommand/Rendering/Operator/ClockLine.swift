import FoundationEssentials
import TillModel

/// What the store's clock shows.
struct ClockLine: OutputLine {
    let reading: ClockReading

    var text: String {
        let offset = reading.offset == .zero ? "the machine's time" : "\(TimeSpan(reading.offset)) ahead of the machine"
        let limit = reading.isAdjustable ? "" : ", cannot be advanced"
        return "\(reading.now.timestamp)  \(offset)\(limit)"
    }

    private enum Key: String, CodingKey {
        case now
        case offsetMilliseconds = "offset_ms"
        case isAdjustable = "is_adjustable"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(reading.now.timestamp, forKey: .now)
        let (seconds, attoseconds) = reading.offset.components
        try container.encode(seconds * 1000 + attoseconds / 1_000_000_000_000_000, forKey: .offsetMilliseconds)
        try container.encode(reading.isAdjustable, forKey: .isAdjustable)
    }
}
