import TillModel

extension Payment {
    /// Whether the two are the same to the byte; Swift's `==` takes canonically equivalent texts for equal.
    func hasSameBytes(as other: Payment) -> Bool {
        self == other && texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    private var texts: [String] {
        [productID, applicationUsername ?? ""]
            + [discount?.identifier, discount?.keyIdentifier, discount?.signature].map { $0 ?? "" }
    }
}
