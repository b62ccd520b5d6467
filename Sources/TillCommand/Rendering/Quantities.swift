import Foundation
import TillModel

extension Price {
    /// The price as people of the locale (BCP 47) write it, for example `$4.99` or `4,99 €`.
    func localized(_ locale: String) -> String {
        amount.formatted(.currency(code: currency).locale(Locale(identifier: locale)))
    }

    /// The amount for programs. It is text, so that no reader turns it into a binary fraction.
    var exactAmount: String {
        "\(amount)"
    }
}

/// A number of bytes as people write it: `1.5 MB`.
struct ByteCount: CustomStringConvertible {
    private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

    let bytes: Int64

    var description: String {
        guard bytes >= 1000 else {
            return "\(bytes) B"
        }
        // Tenths of the unit are rounded down, so that a download does not look complete before it is.
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit + 1 < Self.units.count {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
    }
}

extension SubscriptionPeriod {
    /// The period as a duration of ISO 8601, for example `P1M`.
    var iso8601: String {
        switch unit {
        case .day: "P\(value)D"
        case .week: "P\(value)W"
        case .month: "P\(value)M"
        case .year: "P\(value)Y"
        }
    }

    /// One period for people, for example `month` or `3 months`.
    var each: String {
        value == 1 ? noun : "\(value) \(noun)"
    }

    /// The length of several periods, for example `3 months`.
    func words(times count: Int) -> String {
        let whole = SubscriptionPeriod(unit: unit, value: value * count)
        return "\(whole.value) \(whole.noun)"
    }

    private var noun: String {
        value == 1 ? "\(unit)" : "\(unit)s"
    }
}
