import ArgumentParser

/// A purchase to make: `PRODUCT` or `PRODUCT:QUANTITY`.
struct Order: ExpressibleByArgument {
    let product: String
    let quantity: Int

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let product = parts.first, !product.isEmpty else {
            return nil
        }
        guard let quantity = parts.count == 1 ? 1 : Int(parts[1]) else {
            return nil
        }
        self.product = String(product)
        self.quantity = quantity
    }
}
