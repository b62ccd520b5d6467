import TillModel
import TillSQL

/// A place that does something wrong.
struct FaultyPlace: MigrationPlace {
    enum Role: Hashable, Sendable {
        case source
        case target
    }

    enum Fault: Hashable, Sendable {
        /// Fails instead of changing its mark.
        case failsAtChange(of: Role)
        /// Stores another row than it was given.
        case altersRow(of: String)
    }

    struct Interruption: Error {}

    let place: any MigrationPlace
    let fault: Fault

    var name: String {
        place.name
    }

    func standing() throws -> LedgerStanding {
        try place.standing()
    }

    func read<Value>(_ body: (any MigratingConnection) throws -> Value) throws -> Value {
        try place.read(body)
    }

    func replace(_ body: (any MigratingConnection) throws -> Void) throws {
        guard case .altersRow(let table) = fault else {
            return try place.replace(body)
        }
        try place.replace { try body(AlteringConnection(connection: $0, table: table)) }
    }

    func change(_ body: (any MigratingConnection) throws -> Void) throws {
        if case .failsAtChange = fault {
            throw Interruption()
        }
        try place.change(body)
    }
}

/// Stores rows of one table with another byte.
private final class AlteringConnection: MigratingConnection {
    private let connection: any MigratingConnection
    private let table: String

    init(connection: any MigratingConnection, table: String) {
        self.connection = connection
        self.table = table
    }

    var dialect: SQLDialect {
        connection.dialect
    }

    func run(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws -> Int {
        try connection.run(sql, values, body)
    }

    func write(_ values: [SQLValue], with statement: RowStatement) throws {
        try connection.write(values, with: statement)
    }

    func ledgerTables() throws -> [LedgerTable] {
        try connection.ledgerTables()
    }

    func insertRows(into table: LedgerTable, _ body: (([SQLValue]) throws -> Void) throws -> Void) throws {
        var rows: [[SQLValue]] = []
        try body { rows.append(table.name == self.table ? Self.altered($0) : $0) }
        try connection.insertRows(into: table) { try rows.forEach($0) }
    }

    func removeRows(of tables: [LedgerTable]) throws {
        try connection.removeRows(of: tables)
    }

    func lastKeys() throws -> [String: Int64] {
        try connection.lastKeys()
    }

    func continueKeys(of table: String, after key: Int64) throws {
        try connection.continueKeys(of: table, after: key)
    }

    func schemaVersion() throws -> Int64 {
        try connection.schemaVersion()
    }

    func setSchemaVersion(_ version: Int64) throws {
        try connection.setSchemaVersion(version)
    }

    private static func altered(_ values: [SQLValue]) -> [SQLValue] {
        var values = values
        for (index, value) in values.enumerated().dropFirst().reversed() {
            if case .bytes(var bytes) = value, !bytes.isEmpty {
                bytes[0] ^= 1
                values[index] = .bytes(bytes)
                break
            }
        }
        return values
    }
}
