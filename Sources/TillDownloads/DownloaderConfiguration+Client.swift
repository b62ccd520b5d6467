import AsyncHTTPClient
import NIOCore

extension DownloaderConfiguration {
    /// One connection for each download, without anything that a server could do on its own account.
    var client: HTTPClient.Configuration {
        var client = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        client.httpVersion = .http1Only
        client.timeout = .init(connect: TimeAmount(connectTimeout), read: TimeAmount(idleTimeout))
        client.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(concurrentMaximum, 1)
        // The next attempt is ours to time.
        client.connectionPool.retryConnectionEstablishment = false
        return client
    }
}
