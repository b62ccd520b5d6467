extension Payment {
    /// Checks the constraints that hold for every product and account.
    ///
    /// - Throws: `invalidArgument` with the field's name. Such a payment never becomes a transaction.
    package func validate() throws(TillError) {
        try id.validate(asIdentityOf: "payment")
        guard Identifier.isValid(productID) else {
            throw TillError(
                .invalidArgument,
                "The product identifier must be 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
            )
        }
        guard Payment.quantityRange.contains(quantity) else {
            throw TillError(
                .invalidArgument,
                "The quantity must be \(Payment.quantityRange.lowerBound) to \(Payment.quantityRange.upperBound)."
            )
        }
        guard (applicationUsername?.utf8.count ?? 0) <= Payment.applicationUsernameMaximumBytes else {
            throw TillError(
                .invalidArgument,
                "The applicationUsername must be at most \(Payment.applicationUsernameMaximumBytes) bytes."
            )
        }
        guard (requestData?.count ?? 0) <= Payment.attachmentMaximumBytes else {
            throw TillError(.invalidArgument, "The requestData is reserved; leave it unset.")
        }
        try discount?.validate()
    }
}

extension PaymentDiscount {
    fileprivate func validate() throws(TillError) {
        guard Identifier.isValid(identifier), Identifier.isValid(keyIdentifier) else {
            throw TillError(
                .invalidArgument,
                "The discount's identifiers must be 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
            )
        }
        guard signature.utf8.count <= Payment.attachmentMaximumBytes else {
            throw TillError(
                .invalidArgument,
                "The discount's signature must be at most \(Payment.attachmentMaximumBytes) bytes."
            )
        }
    }
}
