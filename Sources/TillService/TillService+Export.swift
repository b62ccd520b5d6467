import TillEngine
import TillWire

extension TillService {
    func addExports(to table: inout SessionMethods) {
        table.streaming { (session, _, request: ExportRequest, writer) in
            try session.checkOperator()
            try await engine.exportEntries(since: request.since, until: request.until) { entries in
                var rest = entries[...]
                repeat {
                    let part = rest.prefix(WireProtocol.ledgerEntriesMaximum)
                    try await writer.write(ExportResponse(entries: Array(part)))
                    rest = rest.dropFirst(part.count)
                } while !rest.isEmpty
            }
        }
    }
}
