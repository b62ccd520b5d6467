import FoundationEssentials

/// What the public .proto files declare.
enum ProtoFiles {
    /// The names of all top-level messages of a file.
    static func messages(in file: String) throws -> [String] {
        try text(of: file).matches(of: /(?m)^message (\w+)/).map { String($0.output.1) }
    }

    /// The file's one service, in full, and its methods.
    static func service(in file: String) throws -> (name: String, methods: [String])? {
        let text = try text(of: file)
        guard let package = text.firstMatch(of: /package ([\w.]+);/), let name = text.firstMatch(of: /service (\w+)/)
        else {
            return nil
        }
        let methods = text.matches(of: /rpc (\w+)\(/).map { String($0.output.1) }
        return ("\(package.output.1).\(name.output.1)", methods)
    }

    private static func text(of file: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return String(decoding: try Data(contentsOf: root.appending(path: "Proto/\(file)")), as: UTF8.self)
    }
}
