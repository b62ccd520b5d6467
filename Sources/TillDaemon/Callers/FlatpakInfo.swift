/// A sandbox's `/.flatpak-info`, a key file that names the sandbox's application (flatpak-metadata(5)).
enum FlatpakInfo {
    /// The maximum size of the file.
    static let maximumBytes = 64 * 1024

    /// The application's name; nil unless there is exactly one.
    static func application(in text: String) -> String? {
        var section: Substring?
        var names: [Substring] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                section = line
            } else if section == "[Application]", line.hasPrefix("name=") {
                names.append(line.dropFirst("name=".count))
            }
        }
        return names.count == 1 ? names.first.map(String.init) : nil
    }
}
