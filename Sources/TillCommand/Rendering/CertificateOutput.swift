/// A certificate, in text.
struct CertificateOutput: Output {
    let lines: [String]

    private enum Key: String, CodingKey {
        case certificate
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(lines.map { "\($0)\n" }.joined(), forKey: .certificate)
    }
}
