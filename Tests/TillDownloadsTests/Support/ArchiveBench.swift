import ContentServer
import Foundation
import Testing
import TillDownloads
import TillEngine
import TillModel

/// Downloads archives from files, and checks that no files appear except the published ones.
struct ArchiveBench: Sendable {
    let downloads: DownloadBench

    /// An entry that both archive formats support.
    struct Builder {
        var tar = TarBuilder()
        var zip = ZipBuilder()

        mutating func add(_ name: [UInt8], _ content: [UInt8]) {
            tar.add(name, content)
            zip.add(name, content)
        }
    }

    static func run(
        limits: ArchiveLimits = ArchiveLimits(),
        _ body: (ArchiveBench) async throws -> Void
    ) async throws {
        try await DownloadBench.run(configure: { $0.archives = limits }) { bench in
            try await body(ArchiveBench(downloads: bench))
        }
    }

    func archive(_ format: ContentSource.Archive, _ fill: (inout Builder) -> Void) -> [UInt8] {
        var builder = Builder()
        fill(&builder)
        return format == .tar ? builder.tar.finished() : builder.zip.finished()
    }

    /// Checks that only published files in the bench's directory have changed.
    func unpack(_ archive: [UInt8], as format: ContentSource.Archive) async throws -> DownloadOutcome {
        try downloads.directory.write("archive", archive)
        let outside = outsideSnapshot()
        let source = URL(filePath: downloads.directory.path("archive")).absoluteString
        let order = try downloads.order(archive, address: source, archive: format)
        await downloads.downloader.removeAll(except: [])
        let outcome = await downloads.download(order)
        #expect(outsideSnapshot() == outside)
        downloads.expectNothingPartial()
        return outcome
    }

    func published(_ outcome: DownloadOutcome, _ comment: Comment? = nil) throws -> String {
        guard case .published(let path, _) = outcome else {
            Issue.record("\(outcome) \(comment ?? "")")
            return ""
        }
        return path
    }

    private func outsideSnapshot() -> [String: String] {
        downloads.directory.snapshot().filter { !$0.key.hasPrefix("content/accounts/") }
    }
}
