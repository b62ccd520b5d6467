import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addDownloads(to table: inout MethodTable, _ session: Session) {
        table.unary(DownloadsMethod.service, DownloadsMethod.listDownloads.rawValue) {
            (_, request: ListDownloadsRequest) in
            let (page, next) = try await engine.downloads(in: try session.queue(), token: request.pageToken ?? 0)
            return ListDownloadsResponse(downloads: page, nextPageToken: next)
        }
        addDownloadCommand(.start, as: .start, to: &table, session)
        addDownloadCommand(.pause, as: .pause, to: &table, session)
        addDownloadCommand(.resume, as: .resume, to: &table, session)
        addDownloadCommand(.cancel, as: .cancel, to: &table, session)
    }

    private func addDownloadCommand(
        _ command: DownloadCommand,
        as method: DownloadsMethod,
        to table: inout MethodTable,
        _ session: Session
    ) {
        table.unary(DownloadsMethod.service, method.rawValue) { (_, request: DownloadsRequest) in
            let queue = try session.queue()
            return DownloadsResponse(downloads: try await engine.control(command, request.downloadIDs, in: queue))
        }
    }
}
