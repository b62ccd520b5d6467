import FoundationEssentials
import NIOCore
import TillEngine
import TillHTTP
import TillModel

extension DownloadRun {
    /// Asks the server for what is missing, and receives it.
    func fetch(by client: HTTPClient) async throws {
        var redirection = Redirection(from: order.source.url)
        while true {
            let asked = await files.validator().map {
                ResponsePlan.Asked(offset: receivedBytes, validator: $0)
            }
            let response = try await answer(of: client, at: redirection.url, asked: asked)
            let length = order.source.content.length
            switch ResponsePlan(response.status, response.headers, asked: asked, length: length) {
            case .body(let offset, let validator):
                if offset == 0 {
                    try await files.beginAnew(validator: validator)
                    begin(at: 0)
                }
                return try await receive(response.body)
            case .redirect(let location):
                try redirection.follow(to: location)
            case .restart:
                try await files.beginAnew(validator: nil)
                begin(at: 0)
            case .setback(let setback):
                throw setback
            case .failed(let failure):
                throw failure
            }
        }
    }

    private func answer(
        of client: HTTPClient,
        at url: URL,
        asked: ResponsePlan.Asked?
    ) async throws -> HTTPResponse {
        var headers = HTTPHeaders([("accept-encoding", "identity"), ("user-agent", "till")])
        if let asked {
            headers.add(name: "range", value: "bytes=\(asked.offset)-")
            headers.add(name: "if-range", value: asked.validator)
        }
        do {
            return try await client.get(url.absoluteString, headers: headers)
        } catch {
            throw Self.meaning(of: error)
        }
    }

    /// Receives a batch while the one before is hashed and written.
    private func receive(_ body: HTTPResponse.Body) async throws {
        try await withThrowingTaskGroup(of: Int64.self) { writes in
            var batch = ReceivedBatch()
            var began = watch.elapsed
            var breach: (any Error)?
            do {
                while let chunk = try await body.next() {
                    batch.append(chunk)
                    guard batch.isFull(at: batchBytes) || watch.elapsed - began >= ProgressMeter.interval else {
                        continue
                    }
                    try await write(batch, &writes)
                    batch = ReceivedBatch()
                    began = watch.elapsed
                }
            } catch {
                breach = error
            }
            // What came before the breach is good.
            if !(breach is DownloadError) {
                try await write(batch, &writes)
            }
            try await awaitWrite(&writes)
            if let breach {
                throw Self.meaning(of: breach)
            }
        }
        guard receivedBytes == order.source.content.length else {
            throw Setback("the content ended early")
        }
    }

    /// Begins to write when the write before has ended, and no later one is under way.
    private func write(_ batch: ReceivedBatch, _ writes: inout ThrowingTaskGroup<Int64, any Error>) async throws {
        try await awaitWrite(&writes)
        writes.addTask { [files, chunks = batch.chunks] in try await files.append(chunks) }
    }

    private func awaitWrite(_ writes: inout ThrowingTaskGroup<Int64, any Error>) async throws {
        if let total = try await writes.next() {
            try await received(total)
        }
    }

    /// Tells errors that another attempt may overcome from those that are final.
    private static func meaning(of error: any Error) -> any Error {
        guard !Task.isCancelled, !(error is CancellationError) else {
            return CancellationError()
        }
        if error is DownloadError {
            return error
        }
        if error as? HTTPFailure == .url {
            return DownloadError(.unavailable, "The content's URL is malformed or not HTTP or HTTPS.")
        }
        return Setback("\(error)")
    }
}
