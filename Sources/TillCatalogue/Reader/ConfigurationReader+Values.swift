extension ConfigurationReader {
    /// Reads an optional value. Null counts as missing; a wrong type causes a warning.
    private mutating func value<Value>(
        _ key: String,
        of fields: Fields,
        _ expected: String,
        _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let member = fields.members[key], member != .null else { return nil }
        if let value = convert(member) { return value }
        findings.warning("\(key) is not \(expected) and is ignored", product: fields.product)
        return nil
    }

    /// Reads a text; adds an error if it is too long.
    mutating func text(_ key: String, of fields: Fields) -> String? {
        let text = value(key, of: fields, "a text", \.string)
        if let text, text.utf8.count > CatalogueLimits.textBytes {
            findings.error("\(key) is longer than \(CatalogueLimits.textBytes) bytes", product: fields.product)
        }
        return text
    }

    /// Reads a non-empty text; nil if it is empty.
    mutating func filledText(_ key: String, of fields: Fields) -> String? {
        text(key, of: fields).flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func flag(_ key: String, of fields: Fields) -> Bool? {
        value(key, of: fields, "true or false", \.bool)
    }

    mutating func integer(_ key: String, of fields: Fields) -> Int? {
        value(key, of: fields, "a whole number", \.integer)
    }

    mutating func number(_ key: String, of fields: Fields) -> Double? {
        value(key, of: fields, "a number", \.double)
    }

    /// Reads a count from 1 to `CatalogueLimits.count`; the default if it is missing or invalid.
    mutating func count(_ key: String, of fields: Fields, default fallback: Int) -> Int {
        let range = 1...CatalogueLimits.count
        return value(key, of: fields, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.integer.flatMap { range.contains($0) ? $0 : nil }
        } ?? fallback
    }

    mutating func object(_ key: String, of parent: Fields, _ kind: Fields.Kind) -> Fields? {
        guard let members = value(key, of: parent, "an object", \.object) else { return nil }
        return fields(members, kind, product: parent.product)
    }

    /// Reads a list, empty if it is missing; adds an error if it is not a list.
    mutating func list(_ key: String, of fields: Fields) -> [JSONValue] {
        guard let member = fields.members[key], member != .null else { return [] }
        guard let list = member.array else {
            findings.error("\(key) is not a list", product: fields.product)
            return []
        }
        return list
    }

    /// Reads a list of objects; adds an error for each other entry.
    mutating func objects(_ key: String, of parent: Fields, _ kind: Fields.Kind) -> [Fields] {
        var objects: [Fields] = []
        for entry in list(key, of: parent) {
            if let members = entry.object {
                objects.append(fields(members, kind, product: parent.product))
            } else {
                findings.error("\(key) has an entry that is not an object", product: parent.product)
            }
        }
        return objects
    }
}
