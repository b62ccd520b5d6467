/// What the control groups of a process say about it (cgroups(7), proc_pid_cgroup(5)).
struct ControlGroups {
    /// The hierarchies that systemd keeps its units in: version 2, and its own of version 1.
    private static let unitHierarchies: Set<Substring> = ["", "name=systemd"]

    /// The paths by hierarchy, of which the names are without a meaning here.
    private var paths: [(hierarchy: Substring, components: [Substring])]

    init(_ text: String) {
        paths = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return fields.count == 3 ? (fields[1], fields[2].split(separator: "/")) : nil
        }
    }

    /// The system's service that the process belongs to: nobody but root can put it below `system.slice`.
    var unit: String? {
        for (hierarchy, components) in paths where Self.unitHierarchies.contains(hierarchy) {
            let inner = components.drop { $0.hasSuffix(".slice") }
            if components.first == "system.slice", let unit = inner.first, unit.hasSuffix(".service") {
                return String(unit)
            }
        }
        return nil
    }

    /// The application that a snap's or a flatpak's group names; all that differ, which is nobody's.
    ///
    /// Of its user's making, so it takes rights away and gives none.
    var confinements: Set<String> {
        Set(paths.flatMap(\.components).compactMap { Self.snap($0) ?? Self.flatpak($0) })
    }

    /// `snap.NAME.COMMAND.…`, as snapd names the groups; the application is `snap.NAME`, as portals call it.
    private static func snap(_ component: Substring) -> String? {
        let parts = component.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 2 && parts[0] == "snap" ? "snap.\(parts[1])" : nil
    }

    /// `app-flatpak-ID-NUMBER.scope`, as flatpak has systemd name them; systemd writes `-` within the ID as `\x2d`.
    private static func flatpak(_ component: Substring) -> String? {
        let prefix = "app-flatpak-"
        guard component.hasPrefix(prefix), component.hasSuffix(".scope"), let dash = component.lastIndex(of: "-") else {
            return nil
        }
        let start = component.index(component.startIndex, offsetBy: prefix.count)
        return start < dash ? String(component[start..<dash].replacing("\\x2d", with: "-")) : ""
    }
}
