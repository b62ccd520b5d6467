import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Payment: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Payment: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Payment> {
        unsafe till__v1__payment__init
    }

    init(fields: Till__V1__Payment) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            productID: String(field: fields.product_id),
            quantity: Int(fields.quantity),
            applicationUsername: Self.applicationUsername(fields),
            requestData: Self.requestData(fields),
            discount: .optional(fields.discount, "discount"),
            simulatesAskToBuyInSandbox: Bool(field: fields.simulates_ask_to_buy_in_sandbox)
        )
    }

    private static func applicationUsername(_ fields: Till__V1__Payment) -> String? {
        let isPresent =
            unsafe fields.application_username_presence_case
            == TILL__V1__PAYMENT__APPLICATION_USERNAME_PRESENCE_APPLICATION_USERNAME
        return unsafe isPresent ? String(field: fields.application_username) : nil
    }

    private static func requestData(_ fields: Till__V1__Payment) -> [UInt8]? {
        let isPresent =
            unsafe fields.request_data_presence_case
            == TILL__V1__PAYMENT__REQUEST_DATA_PRESENCE_REQUEST_DATA
        return unsafe isPresent ? [UInt8](field: fields.request_data) : nil
    }

    func fill(_ fields: inout Till__V1__Payment, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.quantity = UInt32(clamping: quantity)
        if let applicationUsername {
            unsafe fields.application_username_presence_case =
                TILL__V1__PAYMENT__APPLICATION_USERNAME_PRESENCE_APPLICATION_USERNAME
            unsafe fields.application_username = scratch.text(applicationUsername)
        }
        if let requestData {
            unsafe fields.request_data_presence_case = TILL__V1__PAYMENT__REQUEST_DATA_PRESENCE_REQUEST_DATA
            unsafe fields.request_data = scratch.bytes(requestData)
        }
        unsafe fields.discount = scratch.message(discount)
        unsafe fields.simulates_ask_to_buy_in_sandbox = simulatesAskToBuyInSandbox.field
    }
}
