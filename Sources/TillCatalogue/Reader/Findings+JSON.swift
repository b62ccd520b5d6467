extension Findings {
    /// The object that a file's JSON is; an error when it is none.
    ///
    /// - Parameter expected: What the object is, for the message about another value.
    mutating func object(in bytes: [UInt8], expected: String) -> [String: JSONValue]? {
        guard bytes.count <= CatalogueLimits.fileBytes else {
            error("the file is larger than \(CatalogueLimits.fileBytes / 1024 / 1024) MiB")
            return nil
        }
        guard !bytes.isEmpty else {
            error("the file is empty")
            return nil
        }
        do {
            if let members = try JSONParser.parse(bytes).object { return members }
            error("the file holds JSON, but not \(expected), which is an object")
        } catch let failure {
            error("the file is not valid JSON: in line \(failure.line), \(failure.reason)")
        }
        return nil
    }
}
