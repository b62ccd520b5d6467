import FoundationEssentials
import TestValues
import TillModel

/// Random values, valid for a store or not, that the wire must carry unchanged.
extension SplitMix64 {
    mutating func flag() -> Bool {
        Bool.random(using: &self)
    }

    mutating func optional<Value>(_ make: (inout SplitMix64) -> Value) -> Value? {
        flag() ? make(&self) : nil
    }

    mutating func uuid() -> UUID {
        UUID(high: next(), low: next())
    }

    mutating func text(from count: Int = 0) -> String {
        let alphabet: [Character] = ["a", "Z", "7", ".", " ", "\n", "é", "€", "🙂", "\u{0301}"]
        return String(
            (0..<Int.random(in: count...20, using: &self)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &self)]
            }
        )
    }

    mutating func bytes() -> [UInt8] {
        (0..<Int.random(in: 0...40, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    mutating func number() -> Int {
        Int(UInt32(truncatingIfNeeded: next()))
    }

    mutating func date() -> Date {
        Date(millisecondsSince1970: Int64.random(in: -(1 << 50)...(1 << 50), using: &self))
    }

    mutating func element<Value: CaseIterable>(of type: Value.Type) -> Value where Value.AllCases == [Value] {
        Value.allCases[Int.random(in: Value.allCases.indices, using: &self)]
    }

    mutating func list<Value>(_ make: (inout SplitMix64) -> Value) -> [Value] {
        (0..<Int.random(in: 0...5, using: &self)).map { _ in make(&self) }
    }
}

extension SplitMix64 {
    mutating func content() -> ProductContent {
        ProductContent(identifier: text(), version: text(), length: Int64(bitPattern: next()))
    }

    mutating func download() -> Download {
        Download(
            id: uuid(),
            transactionID: uuid(),
            productID: text(),
            content: content(),
            state: element(of: DownloadState.self),
            receivedBytes: Int64(bitPattern: next()),
            timeRemaining: optional { .milliseconds($0.number()) },
            error: optional { DownloadError($0.element(of: DownloadError.Reason.self), $0.text()) },
            contentPath: optional { $0.text(from: 1) }
        )
    }
}
