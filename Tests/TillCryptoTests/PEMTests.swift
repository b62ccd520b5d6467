import TillCrypto
import Testing

@Suite struct PEMTests {
    @Test func documentsAreReadInTheirOrder() throws {
        let text = """
            The key of the leaf.
            -----BEGIN CERTIFICATE-----\r
            AQ
            ID
            -----END CERTIFICATE-----\r
            between
            -----BEGIN PRIVATE KEY-----
              BAUG
            -----END PRIVATE KEY-----
            """
        let documents = try #require(PEM.documents(in: text))
        #expect(documents.map(\.label) == [PEM.Document.certificate, PEM.Document.privateKey])
        #expect(documents.map(\.bytes) == [[1, 2, 3], [4, 5, 6]])
    }

    @Test(arguments: [
        "-----BEGIN A-----\nAQID\n", "-----BEGIN A-----\nAQID\n-----END B-----\n",
        "-----BEGIN A-----\n-----BEGIN B-----",
    ])
    func aDocumentWithoutItsEndIsRefused(text: String) {
        #expect(PEM.documents(in: text) == nil)
    }

    @Test(arguments: ["!", "AQI", "A", "Proc-Type: 4,ENCRYPTED"])
    func whatIsNotBase64HasNoBytes(body: String) throws {
        let documents = try #require(PEM.documents(in: "-----BEGIN A-----\n\(body)\n-----END A-----"))
        #expect(documents.map(\.bytes) == [nil])
    }

    @Test(arguments: [1, 47, 48, 49, 500])
    func whatIsWrittenIsReadAgain(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let lines = PEM.encode(bytes, as: "A B")
        #expect(lines.allSatisfy { $0.count <= 64 })
        #expect(PEM.documents(in: lines.joined(separator: "\n"))?.first?.bytes == bytes)
    }
}
