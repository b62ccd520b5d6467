/// The imports that each target may have: they point up the list of targets, and never down.
enum Targets {
    /// The targets of this package that each target may import.
    static let imports: [String: Set<String>] = [
        "CArchive": [],
        "CCURL": [],
        "CCrypto": [],
        "CPostgreSQL": [],
        "CProtobufC": [],
        "CSQLiteVFS": [],
        "CStoreKit": [],
        "CSystemCalls": [],
        "CTTRPCMessages": [],
        "CTillMessages": [],
        "ProtobufCodec": ["CProtobufC"],
        "StoreKit": ["CStoreKit", "TillClient", "TillModel"],
        "StoreKitTest": [
            "StoreKit", "TTRPC", "TillCatalogue", "TillClient", "TillDownloads", "TillEngine", "TillModel",
            "TillProviders", "TillReceipts", "TillSQLite", "TillService",
        ],
        "TTRPC": ["CSystemCalls", "CTTRPCMessages", "ProtobufCodec"],
        "TillAudit": ["TillCrypto", "TillModel"],
        "TillCatalogue": ["TillCrypto", "TillModel"],
        "TillClient": ["TTRPC", "TillModel", "TillWire"],
        "TillCommand": [
            "TillAudit", "TillCatalogue", "TillClient", "TillCrypto", "TillMetrics", "TillModel", "TillOutput",
            "TillReceiptVerification",
        ],
        "TillConsole": [
            "TillAudit", "TillCrypto", "TillEngine", "TillHTTP", "TillMetrics", "TillModel", "TillOutput",
        ],
        "TillCrypto": ["CCrypto", "TillModel"],
        "TillDaemon": [
            "CSystemCalls", "TTRPC", "TillAudit", "TillCatalogue", "TillConsole", "TillCrypto", "TillDownloads",
            "TillEngine", "TillHTTP", "TillMetrics", "TillModel", "TillOutput", "TillPostgres", "TillProviders",
            "TillReceiptVerification", "TillReceipts", "TillSQL", "TillSQLite", "TillService", "TillStripe",
        ],
        "TillDownloads": ["CArchive", "CSystemCalls", "TillCrypto", "TillEngine", "TillHTTP", "TillModel"],
        "TillEngine": ["TillAudit", "TillMetrics", "TillModel"],
        "TillHTTP": ["CCURL", "TillModel"],
        "TillMetrics": ["TillModel"],
        "TillModel": [],
        "TillOutput": ["TillAudit", "TillModel"],
        "TillPostgres": ["CPostgreSQL", "TillEngine", "TillModel", "TillProviders", "TillSQL"],
        "TillProviders": ["TillEngine", "TillModel"],
        "TillReceiptVerification": ["TillCrypto", "TillModel"],
        "TillReceipts": ["TillCrypto", "TillEngine", "TillModel"],
        "TillSQL": ["TillAudit", "TillCrypto", "TillEngine", "TillMetrics", "TillModel"],
        "TillSQLite": ["CSQLiteVFS", "TillEngine", "TillModel", "TillSQL"],
        "TillService": ["TTRPC", "TillEngine", "TillModel", "TillWire"],
        "TillStripe": ["TillCrypto", "TillEngine", "TillHTTP", "TillModel"],
        "TillWire": ["CTillMessages", "ProtobufCodec", "TillModel"],
        "till": ["TillCommand"],
        "till-example": ["TillClient"],
        "tilld": ["TillDaemon", "TillEngine", "TillMetrics", "TillModel", "TillOutput", "TillSQL"],
    ]

    /// The targets that may import a module of another package; any target may import a module that is not listed.
    static let owners: [String: Set<String>] = [
        "ArgumentParser": ["TillCommand", "till", "till-example", "tilld"],
        "Configuration": ["TillDaemon"],
        "GRDB": ["TillSQLite"],
        "GRDBSQLite": ["TillSQLite"],
        "HTTPTypes": ["TillConsole"],
        "HummingbirdCore": ["TillConsole"],
        "NIOCore": ["StoreKitTest", "TTRPC", "TillConsole", "TillDownloads", "TillHTTP", "TillStripe"],
        "NIOHTTP1": ["TillStripe"],
        "NIOHTTPTypes": ["TillConsole"],
        "NIOPosix": ["StoreKitTest", "TTRPC", "TillConsole", "TillHTTP", "TillStripe"],
        "ServiceLifecycle": ["TillDaemon", "tilld"],
        "UnixSignals": ["till", "tilld"],
    ]

    static let executables: Set<String> = ["till", "till-example", "tilld"]
    /// The targets that may contain SQL.
    static let ledgers: Set<String> = ["TillPostgres", "TillSQL", "TillSQLite"]
    /// The targets whose declarations are visible to other packages.
    static let products: Set<String> = ["StoreKit", "StoreKitTest", "TTRPC", "TillClient", "TillModel"]

    /// Whether the target may import the module; nil when the target is not in the table.
    static func mayImport(_ module: String, in target: String) -> Bool? {
        guard let own = imports[target] else {
            return nil
        }
        if imports[module] != nil {
            return own.contains(module)
        }
        return owners[module].map { $0.contains(target) } ?? true
    }
}
