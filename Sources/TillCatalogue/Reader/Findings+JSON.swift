extension Findings {
    /// Parses a file's JSON as an object; adds an error if it is not one.
    ///
    /// - Parameter expected: A description of the expected object, for the error message.
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
            error("the file contains JSON, but not \(expected), which is an object")
        } catch let failure {
            error("the file is not valid JSON: in line \(failure.line), \(failure.reason)")
        }
        return nil
    }
}
