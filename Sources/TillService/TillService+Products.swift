import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addProducts(to table: inout SessionMethods) {
        table.unary(ProductsMethod.service, ProductsMethod.products.rawValue) {
            (session, _, request: ProductsRequest) in
            try session.checkAdmitted()
            return try self.products(request)
        }
        table.unary(ProductsMethod.service, ProductsMethod.storefront.rawValue) { (session, _, _: StorefrontRequest) in
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
