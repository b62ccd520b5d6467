import TillModel

/// A setting of the store.
struct SettingLine: TableRow {
    static let headings = ["NAME", "VALUE", "CHANGED", "TAKES"]

    let setting: Setting

    var columns: [String] {
        [setting.name, setting.value, setting.isChanged ? "yes" : "no", setting.domain]
    }

    private enum Key: String, CodingKey {
        case name, value, domain
        case isChanged = "is_changed"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(setting.name, forKey: .name)
        try container.encode(setting.value, forKey: .value)
        try container.encode(setting.domain, forKey: .domain)
        try container.encode(setting.isChanged, forKey: .isChanged)
    }
}
