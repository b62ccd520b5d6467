package import TillModel

extension PaymentEngine {
    /// Identifiers in one request for products.
    package static let productsMaximum = 8
    /// Products in a page of all; fewer where those would not fit into a frame.
    package static let productsPageMaximum = 128

    package var storefront: Storefront {
        parts.catalogue.storefront
    }

    /// The products of these identifiers, and those identifiers that the store does not sell, each once.
    package func products(_ ids: [String], locale: String?) throws(TillError) -> (found: [Product], invalid: [String]) {
        guard ids.count <= Self.productsMaximum else {
            throw TillError(.invalidArgument, "Ask for at most \(Self.productsMaximum) products at once.")
        }
        var seen: Set<String> = []
        let distinct = ids.filter { seen.insert($0).inserted }
        let found = distinct.compactMap { parts.catalogue.product($0, locale: locale) }
        let foundIDs = Set(found.map(\.id))
        return (found, distinct.filter { !foundIDs.contains($0) })
    }

    /// A page of all products by identifier, and the token of the next page if there is more.
    ///
    /// - Parameter token: The next token of the previous page; empty for the first page.
    package func allProducts(token: String, locale: String?) -> (page: [Product], next: String?) {
        let rest = parts.catalogue.source.productIDs.drop { $0 <= token }
        let page = PageWeight.page(
            of: rest.prefix(Self.productsPageMaximum).compactMap { parts.catalogue.product($0, locale: locale) },
            weight: \.weight
        )
        return (page, page.last?.id == rest.last ? nil : page.last?.id)
    }

    /// Asks the application to add a payment that began in the store: a promoted purchase. The application decides, and
    /// adds the payment under its identity.
    ///
    /// The question waits until an observer has acknowledged it.
    ///
    /// - Throws: `invalidArgument` for an invalid payment, `notFound` for a product that the store does not
    ///   sell, `alreadyExists` for a payment that was added: nothing happened.
    package func promote(
        _ payment: Payment,
        to name: QueueName,
        by identity: OperatorIdentity
    ) async throws(TillError) {
        try payment.validate()
        guard parts.catalogue.product(payment.productID) != nil else {
            throw TillError(.notFound, "The store has no product \(payment.productID).")
        }
        try await commit { context -> Result<Void, TillError> in
            guard try context.ledger.transaction(payment.id) == nil else {
                return .failure(TillError(.alreadyExists, "The payment \(payment.id.text) was added before."))
            }
            let detail = "\(payment.quantity) of \(payment.productID) for \(name.account)"
            try context.audit("Promote", subject: name.application, detail: detail, by: identity)
            let queue = try context.queue(name)
            try context.append(.storePaymentRequested(payment), toQueue: queue.key, isPending: true)
            return .success(())
        }
    }
}
