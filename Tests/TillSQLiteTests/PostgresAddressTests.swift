import Testing
import TillModel
import TillPostgres

@Suite("Addresses of databases")
struct PostgresAddressTests {
    @Test(arguments: [
        "postgresql:///till", "postgres:///till?host=/run/postgresql", "postgresql://till@localhost/till",
        "postgresql://[::1]:5433/till?passfile=/etc/till/passwords", "postgresql://127.0.0.1,localhost/till",
        "postgresql://db.example.com/till?sslmode=verify-full",
        "postgresql://a.example.com,/run/postgresql?sslmode=verify-full",
    ])
    func anAddressThatIsSafeIsTaken(_ text: String) throws {
        #expect(try PostgresAddress(text).text == text)
    }

    @Test(arguments: [
        ("", "connection URI"), ("host=/run/postgresql", "connection URI"), ("mysql:///till", "connection URI"),
        ("postgresql:///till?nonsense=1", "nonsense"), ("postgresql://[::1/till", "["),
        ("postgresql://till:secret@localhost/till", "passfile"), ("postgresql:///till?password=secret", "passfile"),
        ("postgresql:///till?sslpassword=secret", "sslpassword"),
        ("postgresql://db.example.com/till", "verify-full"),
        ("postgresql://db.example.com/till?sslmode=require", "verify-full"),
        ("postgresql://localhost,db.example.com/till", "verify-full"),
        ("postgresql://localhost/till?hostaddr=192.0.2.1", "verify-full"),
    ])
    func anAddressThatIsNotIsRefused(_ text: String, _ word: String) {
        let error = #expect(throws: TillError.self) { try PostgresAddress(text) }
        #expect(
            error?.code == .invalidArgument && error?.message.contains(word) == true,
            "\(String(describing: error))"
        )
        #expect(error?.message.contains("secret") == false)
    }
}
