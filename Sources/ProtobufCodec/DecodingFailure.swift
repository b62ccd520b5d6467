/// The reason why bytes are not a valid message, and the field at fault.
package struct DecodingFailure: Error, Hashable, Sendable {
    package var reason: Reason
    /// The fields from the outermost message to the fault, as `payment.product_id`; empty for the message as a whole.
    package var path: String

    package init(_ reason: Reason, at path: String = "") {
        self.reason = reason
        self.path = path
    }

    /// The same failure as seen from the outer message, which has the failed one in a field.
    package func inside(_ field: String) -> DecodingFailure {
        DecodingFailure(reason, at: path.isEmpty ? field : "\(field).\(path)")
    }
}

extension DecodingFailure {
    package enum Reason: Hashable, Sendable {
        case truncated
        case malformedVarint
        case malformedFieldNumber
        case wrongWireType
        case duplicate
        case tooManyFields
        case tooManyUnknownFields
        case tooDeep
        case invalidUTF8
        case containsNUL
        case unknownEnumValue
        case outOfRange
        /// The message would need more memory than its budget.
        case overBudget
        /// The messages that are decoded at the same time exceed their shared memory budget; a retry may succeed.
        case overAllBudget
        /// A required field is absent.
        case missing
        /// The field has a wrong value; the text says what it must be.
        case mustBe(String)
    }
}

extension DecodingFailure.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "ends too early"
        case .malformedVarint: "has a malformed number"
        case .malformedFieldNumber: "has a field number out of range"
        case .wrongWireType: "has the wrong wire type"
        case .duplicate: "occurs twice"
        case .tooManyFields: "has more than \(DecodingLimits.fieldsMaximum) fields"
        case .tooManyUnknownFields: "has more than \(DecodingLimits.unknownFieldsMaximum) unknown fields"
        case .tooDeep: "is nested deeper than \(DecodingLimits.depthMaximum) messages"
        case .invalidUTF8: "is not UTF-8"
        case .containsNUL: "contains a NUL character"
        case .unknownEnumValue: "is not a known value"
        case .outOfRange: "is out of range"
        case .overBudget: "needs too much memory"
        case .overAllBudget: "exceeds the memory that other messages leave for decoding"
        case .missing: "is missing"
        case .mustBe(let what): "must be \(what)"
        }
    }
}

extension DecodingFailure: CustomStringConvertible {
    package var description: String {
        path.isEmpty ? "\(reason)" : "\(path): \(reason)"
    }
}
