import TillModel
import TillWire

extension Golden {
    static let paymentMethods = [
        Golden(
            PaymentMethod(
                id: "pm_1",
                type: "card",
                brand: "visa",
                lastDigits: "4242",
                expirationMonth: "2034-12",
                isDefault: true
            ),
            "0A04 706D5F31 1204 63617264 1A04 76697361 2204 34323432 2A07 323033342D3132 3001"
        ),
        Golden(
            note: "without what a kind may lack",
            PaymentMethod(id: "pm_2", type: "link"),
            "0A04 706D5F32 1204 6C696E6B"
        ),
        Golden(ListPaymentMethodsRequest(), ""),
        Golden(
            ListPaymentMethodsResponse(paymentMethods: [PaymentMethod(id: "p", type: "t")]),
            "0A06 0A0170 120174"
        ),
        Golden(RemovePaymentMethodRequest(paymentMethodID: "pm_1"), "0A04 706D5F31"),
        Golden(RemovePaymentMethodResponse(), ""),
        Golden(PaymentMethodPageRequest(task: .manage), "0801"),
        Golden(PaymentMethodPageResponse(url: "https://p"), "0A09 68747470733A2F2F70"),
    ]
}
