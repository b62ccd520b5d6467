/// The control groups of a process (cgroups(7), proc_pid_cgroup(5)).
struct ControlGroups {
    /// The hierarchies of systemd's units: version 2, and systemd's own of version 1.
    private static let unitHierarchies: Set<Substring> = ["", "name=systemd"]

    /// The paths with their hierarchies.
    private var paths: [(hierarchy: Substring, components: [Substring])]

    init(_ text: String) {
        paths = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return fields.count == 3 ? (fields[1], fields[2].split(separator: "/")) : nil
        }
    }

    /// The system service of the process. Only root can move a process below `system.slice`.
    var unit: String? {
        for (hierarchy, components) in paths where Self.unitHierarchies.contains(hierarchy) {
            let inner = components.drop { $0.hasSuffix(".slice") }
            if components.first == "system.slice", let unit = inner.first, unit.hasSuffix(".service") {
                return String(unit)
            }
        }
        return nil
    }

    /// The applications that groups of snap or flatpak name; several different ones identify no application.
    ///
    /// Users can create such groups, so they only remove rights.
    var confinements: Set<String> {
        Set(paths.flatMap(\.components).compactMap { Self.snap($0) ?? Self.flatpak($0) })
    }

    /// Reads snapd's group name, `snap.NAME.COMMAND.…`; the application is `snap.NAME`, as in portals.
    private static func snap(_ component: Substring) -> String? {
        let parts = component.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 2 && parts[0] == "snap" ? "snap.\(parts[1])" : nil
    }

    /// Reads flatpak's group name, `app-flatpak-ID-NUMBER.scope`; systemd writes `-` within the ID as `\x2d`.
    private static func flatpak(_ component: Substring) -> String? {
        let prefix = "app-flatpak-"
        guard component.hasPrefix(prefix), component.hasSuffix(".scope"), let dash = component.lastIndex(of: "-") else {
            return nil
        }
        let start = component.index(component.startIndex, offsetBy: prefix.count)
        return start < dash ? String(component[start..<dash].replacing("\\x2d", with: "-")) : ""
    }
}
