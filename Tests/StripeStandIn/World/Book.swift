import FoundationEssentials
import GRDB

/// The durable book of a stand-in: a SQLite file in which each request's effect is one transaction.
///
/// A process that is killed at any moment leaves the effect of each request there whole or not at all. The tables
/// `movements` and `requests` may be read by tests while the stand-in runs.
final class Book: Sendable {
    private let queue: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
            try database.execute(sql: Self.schema)
        }
    }

    private static let schema = """
        CREATE TABLE IF NOT EXISTS settings (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS objects (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, sequence INTEGER NOT NULL, body TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS answers (
            key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
            request TEXT NOT NULL, stored_at INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS movements (
            sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, intent TEXT NOT NULL, object TEXT NOT NULL,
            amount INTEGER NOT NULL, currency TEXT NOT NULL, at INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS requests (
            sequence INTEGER PRIMARY KEY, id TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
            parameters TEXT NOT NULL, idempotency_key TEXT, status INTEGER NOT NULL, is_replayed INTEGER NOT NULL,
            fault TEXT, at INTEGER NOT NULL);
        """

    /// Reads the state; the given settings are for a new book only.
    func load(_ settings: Settings) throws -> World {
        try queue.read { database in
            let body = try String.fetchOne(database, sql: "SELECT body FROM settings")
            let stored = try body.map { try JSONDecoder().decode(Settings.self, from: Data($0.utf8)) }
            var world = World(stored ?? settings)
            world.load(
                objects: try Self.objects(database),
                answers: try Self.answers(database),
                movements: try Self.movements(database),
                requests: try Self.requests(database)
            )
            world.areSettingsChanged = stored == nil
            return world
        }
    }

    private static func objects(_ database: Database) throws -> [(kind: String, fields: Fields)] {
        try Row.fetchAll(database, sql: "SELECT kind, body FROM objects ORDER BY sequence").map { row in
            (kind: row["kind"], fields: fields(row["body"]))
        }
    }

    private static func fields(_ text: String) -> Fields {
        JSON(text: text.utf8)?.fields ?? [:]
    }

    private static func answers(_ database: Database) throws -> [String: StoredAnswer] {
        var answers: [String: StoredAnswer] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM answers") {
            answers[row["key"]] = StoredAnswer(
                fingerprint: row["fingerprint"],
                status: row["status"],
                body: row["body"],
                requestID: row["request"],
                storedAt: row["stored_at"]
            )
        }
        return answers
    }

    private static func movements(_ database: Database) throws -> [Movement] {
        try Row.fetchAll(database, sql: "SELECT * FROM movements ORDER BY sequence").compactMap { row in
            Movement.Kind(rawValue: row["kind"]).map {
                Movement(
                    kind: $0,
                    intent: row["intent"],
                    object: row["object"],
                    amount: row["amount"],
                    currency: row["currency"],
                    at: row["at"]
                )
            }
        }
    }

    private static func requests(_ database: Database) throws -> [LoggedRequest] {
        try Row.fetchAll(database, sql: "SELECT * FROM requests ORDER BY sequence").map { row in
            LoggedRequest(
                id: row["id"],
                method: row["method"],
                path: row["path"],
                parameters: fields(row["parameters"]).compactMapValues(\.string),
                idempotencyKey: row["idempotency_key"],
                status: row["status"],
                isReplayed: row["is_replayed"],
                fault: row["fault"],
                at: row["at"]
            )
        }
    }
}

extension Book {
    /// Writes everything that changed as one transaction.
    func write(_ world: World) throws {
        try queue.write { database in
            if world.areSettingsChanged {
                let body = String(decoding: try JSONEncoder().encode(world.settings), as: UTF8.self)
                try database.execute(sql: "INSERT OR REPLACE INTO settings VALUES (1, ?)", arguments: [body])
            }
            for id in world.changes.objects {
                try Self.write(world.objects[id] ?? [:], to: database)
            }
            for key in world.changes.answers {
                try Self.write(world.answers[key], for: key, to: database)
            }
            for movement in world.movements.suffix(world.changes.movementCount) {
                try Self.write(movement, to: database)
            }
            for request in world.requests.suffix(world.changes.requestCount) {
                try Self.write(request, to: database)
            }
        }
    }

    private static func write(_ object: Fields, to database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?)",
            arguments: [object.id, object.text("object"), object.number("_sequence"), JSON.object(object).text]
        )
    }

    private static func write(_ answer: StoredAnswer?, for key: String, to database: Database) throws {
        guard let answer else {
            return try database.execute(sql: "DELETE FROM answers WHERE key = ?", arguments: [key])
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [key, answer.fingerprint, answer.status, answer.body, answer.requestID, answer.storedAt]
        )
    }

    private static func write(_ movement: Movement, to database: Database) throws {
        try database.execute(
            sql: "INSERT INTO movements VALUES (NULL, ?, ?, ?, ?, ?, ?)",
            arguments: [
                movement.kind.rawValue, movement.intent, movement.object, movement.amount, movement.currency,
                movement.at,
            ]
        )
    }

    private static func write(_ request: LoggedRequest, to database: Database) throws {
        try database.execute(
            sql: "INSERT INTO requests VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                request.id, request.method, request.path,
                JSON.object(request.parameters.mapValues(JSON.string)).text, request.idempotencyKey, request.status,
                request.isReplayed, request.fault, request.at,
            ]
        )
    }
}
