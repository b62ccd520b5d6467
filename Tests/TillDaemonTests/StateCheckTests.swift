import Foundation
import Testing
@testable import TillDaemon

@Suite struct StateCheckTests {
    /// A root file that is too large is refused: its end, which may contain roots, is never ignored.
    @Test(arguments: [(64 << 10, true), ((64 << 10) + 1, false)])
    func aFileOfRootsIsReadCompletelyOrRefused(count: Int, isRead: Bool) throws {
        try inTemporaryDirectory { directory in
            let text = "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n"
            let path = "\(directory)/roots.pem"
            let padding = String(repeating: "x", count: count - text.utf8.count)
            try Data((text + padding).utf8).write(to: URL(filePath: path))
            let roots = try? StateDirectory.certificates(path: path)
            #expect(roots == (isRead ? [[1, 2, 3]] : nil))
        }
    }
}
