import TTRPC
import TestValues
import TillWire

/// Valid and almost valid frames that would cost an unprotected decoder hundreds of megabytes, or minutes.
struct Corpus {
    /// An expensive frame and its description.
    struct Input: Sendable {
        var name: String
        var service: String
        var method: String
        var payload: [UInt8]
    }

    /// The longest payload in a frame of the default size.
    static let payloadBytes = Frame.lengthDefault - 100

    /// The inputs in a fixed order, so that a number identifies its input.
    static let inputs: [Input] = payloads.flatMap { name, payload in
        methods.map { Input(name: "\(name), \($0.1)", service: $0.0, method: $0.1, payload: payload) }
    }

    private static let methods = [
        (PaymentQueueMethod.service, PaymentQueueMethod.addPayment.rawValue),
        (PaymentQueueMethod.service, PaymentQueueMethod.hello.rawValue),
        (ProductsMethod.service, ProductsMethod.products.rawValue),
        (DownloadsMethod.service, DownloadsMethod.start.rawValue),
        (OperatorMethod.service, OperatorMethod.changeSettings.rawValue),
    ]

    private static let payloads: [(String, [UInt8])] = [
        ("empty messages in field 1", Wire.filled(payloadBytes, with: [0x0A, 0x00])),
        ("the maximum number of empty fields", Wire.filled(2 * 5120, with: [0x0A, 0x00])),
        ("identifiers in field 1", Wire.filled(18 * 5000, with: Wire.field(1, [UInt8](repeating: 7, count: 16)))),
        ("long texts", Wire.filled(payloadBytes, with: Wire.field(1, [UInt8](repeating: 0x61, count: 1000)))),
        ("one text", Wire.field(1, [UInt8](repeating: 0x61, count: payloadBytes - 8))),
        ("one text of two bytes per letter", Wire.field(1, Wire.filled(payloadBytes - 8, with: [0xC3, 0xA9]))),
        ("packed numbers", Wire.field(3, [UInt8](repeating: 1, count: payloadBytes - 8))),
        ("unknown fields", Wire.filled(payloadBytes, with: [0xA0, 0x06, 0x00])),
        ("the same number", Wire.filled(payloadBytes, with: [0x08, 0x01])),
        ("a message merged many times", merged),
        ("nested messages", nested),
        ("noise", noise),
    ]

    /// A list, followed by duplicates of the message that contains it. protobuf-c would copy the list for each.
    private static let merged: [UInt8] =
        Wire.field(1, Wire.filled(payloadBytes / 2, with: [0x0A, 0x00]))
        + Wire.filled(payloadBytes / 2 - 16, with: [0x0A, 0x02, 0x0A, 0x00])

    private static let nested: [UInt8] = {
        var message: [UInt8] = []
        while message.count < payloadBytes - 16 { message = Wire.field(1, message) }
        return message
    }()

    private static let noise: [UInt8] = {
        var random = SplitMix64(seed: 1)
        return (0..<payloadBytes).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }()
}
