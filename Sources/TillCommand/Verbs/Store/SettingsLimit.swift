import ArgumentParser

/// What one change of settings may name.
enum SettingsLimit {
    static let countMaximum = 32

    static func check(_ names: [String]) throws {
        guard names.count <= countMaximum else {
            throw ValidationError("One command changes \(countMaximum) settings at most.")
        }
        var seen: Set<String> = []
        if let twice = names.first(where: { !seen.insert($0).inserted }) {
            throw ValidationError("The setting \(twice) is named twice.")
        }
    }
}
