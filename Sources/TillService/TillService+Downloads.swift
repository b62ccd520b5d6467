import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addDownloads(to table: inout SessionMethods) {
        table.unary(DownloadsMethod.service, DownloadsMethod.listDownloads.rawValue) {
            (session, _, request: ListDownloadsRequest) in
            let (page, next) = try await engine.downloads(in: try session.queue(), token: request.pageToken ?? 0)
            return ListDownloadsResponse(downloads: page, nextPageToken: next)
        }
        addDownloadCommand(.start, as: .start, to: &table)
        addDownloadCommand(.pause, as: .pause, to: &table)
        addDownloadCommand(.resume, as: .resume, to: &table)
        addDownloadCommand(.cancel, as: .cancel, to: &table)
    }

    private func addDownloadCommand(
        _ command: DownloadCommand,
        as method: DownloadsMethod,
        to table: inout SessionMethods
    ) {
        table.unary(DownloadsMethod.service, method.rawValue) { (session, _, request: DownloadsRequest) in
            let queue = try session.queue()
            return DownloadsResponse(downloads: try await engine.control(command, request.downloadIDs, in: queue))
        }
    }
}
