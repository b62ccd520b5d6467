import ContentServer
import Foundation
import NIOCore

// Serves the files of a directory on 127.0.0.1 until it is stopped. The query of an address selects faults.
guard let directory = CommandLine.arguments.dropFirst().first else {
    FileHandle.standardError.write(Data("usage: till-content-server DIRECTORY [PORT]\n".utf8))
    exit(64)
}
let port = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0
let server = try await ContentServer(port: port) { path, query, _ in
    guard path.hasPrefix("/"), !path.contains("..") else { return nil }
    let file = URL(filePath: directory).appending(path: String(path.dropFirst()))
    return (try? Data(contentsOf: file)).map { (ServedBytes(Array($0)), Reply(query: query)) }
}
print(server.port)
fflush(nil)
let (forever, _) = AsyncStream.makeStream(of: Never.self)
for await _ in forever {}
