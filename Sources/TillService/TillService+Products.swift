import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addProducts(to table: inout SessionMethods) {
        table.unary { (session, _, request: ProductsRequest) in
            try session.checkAdmitted()
            return try self.products(request)
        }
        table.unary { (session, _, _: StorefrontRequest) in
            try session.checkAdmitted()
            return engine.storefront
        }
    }

    private func products(_ request: ProductsRequest) throws(TillError) -> ProductsResponse {
        guard request.productIDs.isEmpty else {
            let (found, invalid) = try engine.products(request.productIDs, locale: request.locale)
            return ProductsResponse(
                products: found,
                invalid: invalid.map { InvalidProduct(productID: $0, reason: Self.reason($0)) },
                nextPageToken: nil
            )
        }
        let (page, next) = engine.allProducts(token: request.pageToken ?? "", locale: request.locale)
        return ProductsResponse(products: page, invalid: [], nextPageToken: next)
    }

    private static func reason(_ id: String) -> String {
        Identifier.isValid(id) ? "not in the catalogue" : "not a product identifier"
    }
}

extension TillService {
    func addDownloads(to table: inout SessionMethods) {
        table.unary { (session, _, request: ListDownloadsRequest) in
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
        as method: DownloadsRequest.Method,
        to table: inout SessionMethods
    ) {
        table.unary(method) { (session, _, request: DownloadsRequest) in
            let queue = try session.queue()
            return DownloadsResponse(downloads: try await engine.control(command, request.downloadIDs, in: queue))
        }
    }
}

extension TillService {
    func addReceipts(to table: inout SessionMethods) {
        table.streaming { (session, _, _: ApplicationReceiptRequest, writer) in
            let queue = try session.queue()
            let maximum = WireProtocol.receiptPartMaximumBytes
            try await engine.sendApplicationReceipt(of: queue, to: session.user, partMaximum: maximum) { part in
                try await writer.write(ReceiptPart(data: part))
            }
        }
        table.unary { (session, _, _: RootCertificateRequest) in
            _ = try session.queue()
            return RootCertificateResponse(certificate: try engine.receiptRoot())
        }
    }
}
