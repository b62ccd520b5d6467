import CPostgreSQL
package import TillModel

/// The address of a database: a connection URI, for example `postgresql:///shop?host=/run/postgresql`
/// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
package struct PostgresAddress: Hashable, Sendable {
    package let text: String

    /// - Throws: `invalidArgument` for text that is no such address, for one with a password, which all users of the machine
    ///   could read, and for another machine's without verified encryption.
    package init(_ text: String) throws(TillError) {
        self.text = text
        let own = try Self.parsed(text)
        guard own["password"] == nil else {
            throw Self.invalid("Leave the password out, and add passfile=FILE: a file of libpq with it.")
        }
        guard own["sslpassword"] == nil else {
            throw Self.invalid("Leave sslpassword out, and use a client key without a password.")
        }
        // Variables such as PGHOST say what the address does not.
        let values = Self.defaults().merging(own) { $1 }
        guard Self.isLocal(values) || values["sslmode"] == "verify-full" else {
            throw Self.invalid("Add sslmode=verify-full: the database is on another machine.")
        }
    }

    /// Whether the text begins as an address of PostgreSQL does.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// The keywords that the address has, with their values.
    private static func parsed(_ text: String) throws(TillError) -> [String: String] {
        guard isAddress(text) else {
            throw invalid("Use a connection URI, such as postgresql:///shop?host=/run/postgresql.")
        }
        var reason: UnsafeMutablePointer<CChar>?
        defer { unsafe PQfreemem(reason) }
        guard let options = unsafe PQconninfoParse(text, &reason) else {
            throw invalid(unsafe PostgresResult.line(reason))
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe values(options)
    }

    /// What libpq takes for keywords that an address does not have.
    private static func defaults() -> [String: String] {
        guard let options = unsafe PQconndefaults() else {
            return [:]
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe values(options)
    }

    /// The values of a list that ends with an option without a keyword.
    static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                values[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }

    /// The servers, of which libpq takes the first that accepts changes; none for the default one.
    static func hosts(_ values: [String: String]) -> [Substring] {
        (values["hostaddr"] ?? values["host"] ?? "").split(separator: ",")
    }

    /// Whether all servers are on this machine. A path is that of a Unix socket's directory.
    private static func isLocal(_ values: [String: String]) -> Bool {
        hosts(values).allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("@") || loopback.contains(String($0)) }
    }

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

    private static func invalid(_ rule: String) -> TillError {
        TillError(.invalidArgument, "The address of the ledger in PostgreSQL cannot be used. \(rule)")
    }
}
