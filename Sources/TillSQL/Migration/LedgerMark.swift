package import FoundationEssentials
package import TillModel

/// Why a ledger must not be used: it was moved, or is not complete.
///
/// The mark is a setting. While a ledger has it, its schema's version is raised by ``versionOffset``, so that programs that do
/// not know marks refuse the ledger, too.
package enum LedgerMark: Hashable, Sendable {
    /// It was moved to the place, and is used there.
    case moved(to: String)
    /// It is being moved from the place, which may still be in use.
    case arriving(from: String)

    /// More than any schema has.
    package static let versionOffset: Int64 = 1_000_000

    /// The version of a ledger's schema, without what a mark adds to it.
    package static func plain(version: Int64) -> Int64 {
        version > versionOffset ? version - versionOffset : version
    }

    private static let movedName = "moved-to"
    private static let arrivingName = "arriving-from"

    /// The error for a program that would use the ledger.
    ///
    /// - Parameter ledger: What the sentence calls the ledger.
    package func refusal(of ledger: String) -> TillError {
        switch self {
        case .moved(let place):
            TillError(
                .failedPrecondition,
                "\(ledger) was moved to \(place). Start tilld with \(Self.option(place)), or move the ledger back."
            )
        case .arriving(let place):
            TillError(
                .failedPrecondition,
                "\(ledger) is an unfinished copy of the one in \(place). Run tilld migrate again with the same places."
            )
        }
    }

    private static func option(_ place: String) -> String {
        place.hasPrefix("/") ? "--state and this directory" : "--ledger and this address"
    }

    fileprivate var setting: (name: String, value: String) {
        switch self {
        case .moved(let place): (Self.movedName, place)
        case .arriving(let place): (Self.arrivingName, place)
        }
    }

    fileprivate init?(_ settings: [String: String]) {
        if let place = settings[Self.movedName] {
            self = .moved(to: place)
        } else if let place = settings[Self.arrivingName] {
            self = .arriving(from: place)
        } else {
            return nil
        }
    }

    fileprivate static let names = [movedName, arrivingName]
}

/// A ledger as a migration finds it.
package enum LedgerStanding: Hashable, Sendable {
    case missing
    /// A daemon could use it.
    case usable(UUID)
    case marked(UUID, LedgerMark)
}

extension SQLTransaction {
    /// The ledger's mark.
    ///
    /// - Parameter version: That of its schema, as the database has it.
    package func mark(version: Int64) throws -> LedgerMark? {
        version > LedgerMark.versionOffset ? LedgerMark(try settings()) : nil
    }
}

extension MigratingConnection {
    /// Marks the ledger, or makes it usable.
    package func setMark(_ mark: LedgerMark?) throws {
        let rows = SQLTransaction(self)
        for name in LedgerMark.names {
            try rows.setSetting(name, to: nil)
        }
        if let setting = mark?.setting {
            try rows.setSetting(setting.name, to: setting.value)
        }
        let version = LedgerMark.plain(version: try schemaVersion())
        try setSchemaVersion(mark == nil ? version : version + LedgerMark.versionOffset)
    }
}
