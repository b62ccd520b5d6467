import TillEngine
import TillModel
import TillPostgres

/// The keys of files and of access. The configuration reads most of them by name, because they depend on each other or on
/// the environment.
extension ConfigurationKey {
    static let catalogue = dependent(
        "catalogue",
        .files(extension: "storekit"),
        valueName: "file",
        help: "Sell the products of this Xcode `.storekit` file.",
        details: """
            At least one file is required; several files form one catalogue of at most 10,000 products. A file has at most \
            16 MiB. The content manifest `Notes.content.json` beside `Notes.storekit` describes its hosted content.
            """
    )
    static let state = dependent(
        "state",
        .directory,
        valueName: "dir",
        defaultText: "`$XDG_STATE_HOME/till`; root: `\(DefaultPaths.systemState)`",
        help: "Keep the ledger in this directory.",
        details: """
            It must belong to the daemon's user alone (mode 0700) and be on a local disk. The daemon creates it if it is \
            missing.
            """
    )
    static let ledger = ConfigurationKey(
        "ledger",
        .text,
        valueName: "address",
        help: "Keep the ledger in this PostgreSQL database.",
        details: """
            It is a connection URI, such as `postgresql:///shop?host=/run/postgresql`, without a password: `passfile` names a \
            file with it. Another machine needs `sslmode=verify-full`. The tables are in the schema `till`, which \
            `tilld ledger init` creates, or the daemon if it may. One daemon at a time uses a ledger, unless each has a \
            `host`.
            """
    ) { configuration, texts throws(TillError) in
        configuration.ledgerAddress = try PostgresAddress(texts.first ?? "")
    }
    static let host = ConfigurationKey(
        "host",
        .text,
        valueName: "name",
        help: "Share the PostgreSQL ledger as the host of this name.",
        details: """
            Each daemon that shares the ledger has a name of its own, of 1 to \(HostSetup.nameMaximumBytes) letters, digits, `-`, \
            `.` and `_`. Hosts need the same provider, catalogue, content manifests and certificates, and clocks \
            that agree.
            """
    ) { configuration, texts throws(TillError) in
        let name = texts.first ?? ""
        guard HostSetup.isName(name) else {
            throw .invalid(
                "host",
                name,
                use: "1 to \(HostSetup.nameMaximumBytes) letters, digits, hyphens, dots and underscores"
            )
        }
        configuration.host = name
    }
    static let hostUsers = choice(
        "host-users",
        for: \.hostUsers,
        help: "Whether user ids mean the same people on every host.",
        details: """
            With `separate`, user 1000 of the host `kiosk` has the account `uid:1000@kiosk`; with `same`, `uid:1000` on every \
            host. An `account` of the policy file is the same on every host.
            """
    )
    static let socket = dependent(
        "socket",
        .file,
        valueName: "path",
        defaultText: "`$XDG_RUNTIME_DIR/till/till.sock`; root: `\(DefaultPaths.systemSocket)`",
        help: "Serve applications on this Unix domain socket.",
        details: "The path has at most 103 bytes."
    )
    static let policy = dependent(
        "policy",
        .file,
        valueName: "file",
        help: "Read access rules from this JSON file.",
        details: "It replaces `allow-users`, `operators` and `approvers`, and cannot be combined with them."
    )
    static let allowUsers = dependent(
        "allow-users",
        .list,
        valueName: "uids",
        help: "Let these additional users, or `all`, use the daemon.",
        details: "Ids are numeric. The daemon's own user may always use it. Each user pays from an account of its own."
    )
    static let operators = dependent(
        "operators",
        .list,
        valueName: "uids",
        help: "Let these additional users inspect and change everything.",
        details: "Ids are numeric. The daemon's own user is always an operator."
    )
    static let approvers = dependent(
        "approvers",
        .list,
        valueName: "uids",
        help: "Let these additional users approve purchases (Ask to Buy).",
        details: "Ids are numeric. Operators may always approve purchases."
    )
    static let contentDirectory = ConfigurationKey(
        "content",
        .directory,
        valueName: "dir",
        defaultText: "`content` in the state directory; root: `\(DefaultPaths.systemContent)`",
        help: "Keep hosted content in this directory.",
        details: """
            Accounts read their content there. Users other than the daemon's cannot read it within the state directory. \
            The default for root requires the default state directory. Each ledger needs a content directory of its own.
            """
    ) { $0.contentDirectory = $1.first }

    static let files = Section(title: "Files", keys: [catalogue, state, ledger, host, hostUsers, socket])

    static let access = Section(
        title: "Access",
        keys: [
            policy, allowUsers, operators, approvers,
            ConfigurationKey(
                "deny-payments",
                .list,
                valueName: "accounts",
                help: "Refuse payments of these accounts.",
                details: "An account is, for example, `uid:1001`."
            ) { $0.engine.accountsNotAllowedToPay = Set($1) },
        ]
    )
}
