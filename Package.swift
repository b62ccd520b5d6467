// swift-tools-version: 6.2
import PackageDescription

// Faults for the harnesses to find are compiled in for them alone.
let plantsMutants = Context.environment["TILL_MUTANTS"] != nil
let mutants: [Target.Dependency] = plantsMutants ? ["Mutants"] : []

let settings: [SwiftSetting] =
    (plantsMutants ? [.define("MUTANTS")] : []) + [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

// Locks that the thread sanitizer sees; it takes the users of Synchronization's Mutex for races.
let locks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")

// What reads bytes from outside, as the fuzzer and the replay of its corpus give them some.
let fuzzed: [Target.Dependency] = [
    "TTRPC", "TillCatalogue", "TillConsole", "TillCrypto", "TillDaemon", "TillDownloads", "TillEngine", "TillHTTP",
    "TillModel", "TillProviders", "TillReceiptVerification", "TillStripe", "TillWire", locks, logging, nioCore,
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "NIOEmbedded", package: "swift-nio"),
]

let package = Package(
    name: "till",
    products: [
        .library(name: "StoreKit", targets: ["StoreKit"]),
        .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
        .library(name: "TTRPC", targets: ["TTRPC"]),
        .library(name: "TillClient", targets: ["TillClient"]),
        .library(name: "TillModel", targets: ["TillModel"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(
            name: "CProtobufC",
            pkgConfig: "libprotobuf-c",
            providers: [.apt(["libprotobuf-c-dev"])]
        ),
        .systemLibrary(name: "CCURL", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CSystemCalls"),
        .target(name: "CSQLiteVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CTTRPCMessages", dependencies: ["CProtobufC"]),
        .target(name: "CTillMessages", dependencies: ["CProtobufC"]),
        .target(name: "TillModel"),
        .target(name: "ProtobufCodec", dependencies: ["CProtobufC"] + mutants),
        .target(
            name: "TTRPC",
            dependencies: [
                "CSystemCalls", "CTTRPCMessages", "ProtobufCodec", locks, logging, nioCore, nioPosix,
            ] + mutants
        ),
        .target(
            name: "TillWire",
            dependencies: ["CTillMessages", "ProtobufCodec", "TillModel"]
        ),
        .target(name: "TillCrypto", dependencies: ["CCrypto", "TillModel"]),
        .target(name: "TillOutput", dependencies: ["TillAudit", "TillModel"]),
        .target(name: "TillAudit", dependencies: ["TillCrypto", "TillModel"]),
        .target(
            name: "TillMetrics",
            dependencies: ["TillModel", locks, .product(name: "CoreMetrics", package: "swift-metrics")]
        ),
        .target(
            name: "TillEngine",
            dependencies: [
                "TillAudit", "TillMetrics", "TillModel", locks, logging,
                .product(name: "BitCollections", package: "swift-collections"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ] + mutants
        ),
        .target(name: "TillClient", dependencies: ["TTRPC", "TillModel", "TillWire", locks]),
        .target(name: "CStoreKit"),
        .target(
            name: "StoreKit",
            dependencies: ["CStoreKit", "TillClient", "TillModel", locks]
        ),
        .target(name: "TillCatalogue", dependencies: ["TillCrypto", "TillModel"]),
        .target(
            name: "TillService",
            dependencies: ["TTRPC", "TillEngine", "TillModel", "TillWire", locks] + mutants
        ),
        .target(
            name: "TillSQL",
            dependencies: ["TillAudit", "TillCrypto", "TillEngine", "TillMetrics", "TillModel", locks, logging]
                + mutants
        ),
        .target(
            name: "TillSQLite",
            dependencies: [
                "CSQLiteVFS", "TillEngine", "TillModel", "TillSQL", locks, logging,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ] + mutants
        ),
        .target(
            name: "TillPostgres",
            dependencies: ["CPostgreSQL", "TillEngine", "TillModel", "TillProviders", "TillSQL", locks, logging]
                + mutants
        ),
        .target(
            name: "TillHTTP",
            dependencies: ["CCURL", "TillModel", locks, nioCore, nioPosix]
        ),
        .target(
            name: "TillDownloads",
            dependencies: [
                "CArchive", "CSystemCalls", "TillCrypto", "TillEngine", "TillHTTP", "TillModel", locks, logging,
                nioCore,
            ] + mutants
        ),
        .target(name: "TillProviders", dependencies: ["TillEngine", "TillModel", locks]),
        .target(
            name: "TillStripe",
            dependencies: [
                "TillCrypto", "TillEngine", "TillHTTP", "TillModel", locks, logging, nioCore, nioHTTP, nioPosix,
            ] + mutants
        ),
        .target(
            name: "TillConsole",
            dependencies: [
                "TillAudit", "TillCrypto", "TillEngine", "TillHTTP", "TillMetrics", "TillModel", "TillOutput", locks,
                logging,
                nioCore, nioPosix,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            resources: [
                .embedInCode("Assets/console.css"), .embedInCode("Assets/console.html"),
                .embedInCode("Assets/console.js"),
            ]
        ),
        .target(
            name: "TillReceipts",
            dependencies: ["TillCrypto", "TillEngine", "TillModel", locks, logging]
        ),
        .target(name: "TillReceiptVerification", dependencies: ["TillCrypto", "TillModel"]),
        .target(
            name: "StoreKitTest",
            dependencies: [
                "StoreKit", "TTRPC", "TillCatalogue", "TillClient", "TillDownloads", "TillEngine", "TillModel",
                "TillProviders", "TillReceipts", "TillSQLite", "TillService", locks, logging, nioCore, nioPosix,
            ]
        ),
        .target(
            name: "TillDaemon",
            dependencies: [
                "CSystemCalls", "TTRPC", "TillAudit", "TillCatalogue", "TillConsole", "TillCrypto", "TillDownloads",
                "TillEngine", "TillHTTP", "TillMetrics", "TillModel", "TillOutput", "TillProviders",
                "TillPostgres", "TillReceiptVerification", "TillReceipts", "TillSQL", "TillSQLite", "TillService",
                "TillStripe", locks, logging,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "tilld",
            dependencies: [
                "TillDaemon", "TillEngine", "TillMetrics", "TillModel", "TillOutput", "TillSQL", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Deployment", "Manual"]
        ),
        .target(
            name: "TillCommand",
            dependencies: [
                "TillAudit", "TillCatalogue", "TillClient", "TillCrypto", "TillMetrics", "TillModel", "TillOutput",
                "TillReceiptVerification",
                argumentParser, locks,
            ]
        ),
        .executableTarget(
            name: "till",
            dependencies: [
                "TillCommand",
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            exclude: ["Manual"]
        ),
        .executableTarget(
            name: "till-example",
            dependencies: ["TillClient", argumentParser],
            exclude: [
                "Notes.content.json", "Notes.storekit", "Shop.storekit", "browser.py", "content", "demo.sh",
                "functions.sh", "scenarios.sh", "hosts-demo.sh", "stripe-demo.sh",
            ]
        ),
        .target(name: "TestValues", path: "Tests/TestValues"),
        .target(
            name: "CCodecFixtures",
            dependencies: ["CProtobufC"],
            path: "Tests/CCodecFixtures",
            exclude: ["fixtures/kinds.proto"]
        ),
        .target(
            name: "TillInvariants",
            dependencies: ["TillAudit", "TillCrypto", "TillEngine", "TillModel"],
            path: "Tests/TillInvariants"
        ),
        .target(
            name: "ContentServer",
            dependencies: [locks, nioCore, nioHTTP, nioPosix],
            path: "Tests/ContentServer"
        ),
        .executableTarget(
            name: "till-content-server",
            dependencies: ["ContentServer"],
            path: "Tests/ContentServerTool"
        ),
        .target(
            name: "StripeStandIn",
            dependencies: [
                "TillCrypto", locks, nioCore, nioHTTP, nioPosix, .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/StripeStandIn"
        ),
        .executableTarget(
            name: "till-stripe-stand-in",
            dependencies: ["StripeStandIn", argumentParser],
            path: "Tests/StripeStandInTool"
        ),
        .target(
            name: "StripeConformance",
            dependencies: [
                "StripeStandIn", "TillCrypto", "TillEngine", "TillHTTP", "TillModel", "TillOutput", "TillStripe", locks,
                logging,
            ],
            path: "Tests/StripeConformance"
        ),
        .executableTarget(
            name: "till-stripe-conformance",
            dependencies: [
                "StripeConformance", "TillModel", "TillOutput", "TillStripe", argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Tests/StripeConformanceTool"
        ),
        .testTarget(
            name: "StripeConformanceTests",
            dependencies: [
                "ProcessTesting", "StripeConformance", "StripeStandIn", "TillCrypto", "TillEngine", "TillModel",
                "TillStripe", "till-stripe-conformance",
            ]
        ),
        .testTarget(
            name: "StripeStandInTests",
            dependencies: [
                "ProcessTesting", "StripeConformance", "StripeStandIn", "TillModel", "till-stripe-stand-in", locks,
                nioCore, nioHTTP, nioPosix,
            ]
        ),
        .executableTarget(
            name: "till-test-worker",
            dependencies: [
                "TTRPC", "TestValues", "TillClient", "TillInvariants", "TillModel", "TillWire", nioCore, nioPosix,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/ProcessTestWorker"
        ),
        .executableTarget(
            name: "till-attack",
            dependencies: [
                "ProcessTesting", "TTRPC", "TestValues", "TillClient", "TillModel", "TillWire", "tilld", argumentParser,
                locks,
                nioCore, nioPosix,
            ],
            path: "Tests/Attack"
        ),
        .target(
            name: "CrashStates",
            dependencies: [
                "ContentServer", "ProcessTesting", "TTRPC", "TestValues", "TillClient", "TillCrypto", "TillEngine",
                "TillInvariants", "TillModel", "TillProviders", "TillReceipts", "TillSQLite", "TillWire", logging,
                nioCore,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/CrashStates"
        ),
        .executableTarget(
            name: "till-crash-states",
            dependencies: [
                "ContentServer", "CrashStates", "TillInvariants", "TillModel", "till-test-worker", "tilld",
                argumentParser,
            ],
            path: "Tests/CrashStatesTool"
        ),
        .testTarget(
            name: "CrashStatesTests",
            dependencies: ["CrashStates", "TillInvariants", "TillModel"]
        ),
        .target(
            name: "ProcessTesting",
            dependencies: ["TTRPC", "TillCrypto", "TillModel", "TillWire", nioCore, nioPosix],
            path: "Tests/ProcessTesting"
        ),
        .target(
            name: "FaultRuns",
            dependencies: [
                "ProcessTesting", "TTRPC", "TestValues", "TillClient", "TillEngine", "TillInvariants", "TillModel",
                "TillProviders",
                "TillSQLite", "TillWire", nioCore, nioPosix,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/FaultRuns",
            resources: [.embedInCode("Faults/clock-shim.c"), .embedInCode("Faults/failing-calls.c")]
        ),
        .executableTarget(
            name: "till-faults",
            dependencies: ["FaultRuns", "ProcessTesting", "TestValues", "TillInvariants", argumentParser],
            path: "Tests/FaultTool"
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "ContentServer", "FaultRuns", "ProcessTesting", "StoreKit", "StripeStandIn", "TTRPC", "TestValues",
                "TillAudit", "TillClient", "TillEngine", "TillHTTP",
                "TillInvariants", "TillModel", "TillProviders", "TillSQL", "TillSQLite", "TillService", "TillTesting",
                "TillWire",
                "till",
                "till-attack",
                "till-test-worker", "tilld", locks, logging, nioCore, nioPosix,
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "ContentServer", "ProcessTesting", "TillClient", "TillEngine", "TillModel", "TillSQLite",
                "till", "till-example", "tilld", logging,
            ]
        ),
        .testTarget(
            name: "ProtobufCodecTests",
            dependencies: ["CCodecFixtures", "CTTRPCMessages", "ProtobufCodec", "TestValues"]
        ),
        .testTarget(
            name: "TTRPCTests",
            dependencies: [
                "TTRPC", logging, nioCore, nioPosix,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "TillConsoleTests",
            dependencies: ["TillConsole", "TillEngine", "TillMetrics", "TillModel", "TillTesting"]
        ),
        .testTarget(name: "TillOutputTests", dependencies: ["TillModel", "TillOutput"]),
        .testTarget(name: "TillAuditTests", dependencies: ["TillAudit", "TillModel"]),
        .testTarget(
            name: "TillCatalogueTests",
            dependencies: ["TillCatalogue", "TillCrypto", "TillModel"],
            resources: [.copy("Fixtures")]
        ),
        .target(
            name: "TillTesting",
            dependencies: ["TillDaemon", "TillEngine", "TillModel", locks],
            path: "Tests/TillTesting"
        ),
        .testTarget(
            name: "TillClientTests",
            dependencies: [
                "TTRPC", "TestValues", "TillClient", "TillDaemon", "TillEngine", "TillMemoryLedger", "TillModel",
                "TillSQLite", "TillService", "TillTesting", "TillWire", locks, logging, nioCore, nioPosix,
            ],
            exclude: ["Transcripts/Recorded"]
        ),
        .testTarget(
            name: "StoreKitTestTests",
            dependencies: ["StoreKit", "StoreKitTest", "TillClient", "TillModel", locks],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "StoreKitTests",
            dependencies: [
                "StoreKit", "TTRPC", "TillClient", "TillDaemon", "TillEngine", "TillModel", "TillSQLite", "TillService",
                "TillTesting", locks, logging,
            ]
        ),
        .testTarget(
            name: "TillCommandTests",
            dependencies: [
                "TillAudit", "TillCatalogue", "TillClient", "TillCommand", "TillCrypto", "TillEngine", "TillMetrics",
                "TillModel", "TillOutput", "TillReceiptVerification", "TillReceipts", argumentParser, locks, logging,
            ]
        ),
        .testTarget(
            name: "TillEngineTests",
            dependencies: [
                "TestValues", "TillAudit", "TillEngine", "TillMemoryLedger", "TillMetrics", "TillModel", "TillSQLite",
                "TillTesting", locks, logging,
            ]
        ),
        .testTarget(
            name: "TillDownloadsTests",
            dependencies: [
                "CArchive", "ContentServer", "TillCrypto", "TillDownloads", "TillEngine", "TillHTTP", "TillModel",
                locks,
                nioCore,
            ]
        ),
        .testTarget(
            name: "TillHTTPTests",
            dependencies: ["TillHTTP", locks, nioCore, nioPosix]
        ),
        .testTarget(
            name: "TillInvariantsTests",
            dependencies: ["TillAudit", "TillEngine", "TillInvariants", "TillModel"]
        ),
        .testTarget(
            name: "TillSQLiteTests",
            dependencies: [
                "CSQLiteVFS", "TestValues", "TillAudit", "TillEngine", "TillMemoryLedger",
                "TillMetrics",
                "ProcessTesting", "TillModel", "TillPostgres", "TillProviders", "TillSQL", "TillSQLite", "TillTesting",
                "tilld", locks,
                logging,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TillProvidersTests",
            dependencies: ["TestValues", "TillEngine", "TillModel", "TillProviders", "TillTesting"]
        ),
        .testTarget(
            name: "TillStripeTests",
            dependencies: [
                "StripeStandIn", "TestValues", "TillCrypto", "TillDaemon", "TillEngine", "TillHTTP", "TillMemoryLedger",
                "TillModel", "TillReceiptVerification", "TillReceipts", "TillStripe", "TillTesting", locks, logging,
                nioCore, nioPosix,
            ]
        ),
        .testTarget(
            name: "TillReceiptsTests",
            dependencies: [
                "TillCrypto", "TillEngine", "TillModel", "TillReceipts", "TillReceiptVerification", locks, logging,
            ]
        ),
        .testTarget(
            name: "TillCryptoTests",
            dependencies: ["CCrypto", "TestValues", "TillCrypto"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["TTRPC", "TillClient", "TillModel", logging]
        ),
        .testTarget(
            name: "TillDaemonTests",
            dependencies: [
                "TTRPC", "TillDaemon", "TillDownloads", "TillEngine", "TillMetrics", "TillModel", "TillProviders",
                "TillReceipts", "TillSQLite", "TillService", "TillStripe", "TillTesting", logging,
            ]
        ),
        .testTarget(
            name: "ProtocolTests",
            dependencies: [
                "ProtobufCodec", "TTRPC", "TestValues", "TillEngine", "TillModel", "TillService", "TillWire", nioCore,
            ]
        ),
        .target(
            name: "TillMemoryLedger",
            dependencies: ["TillEngine", "TillMetrics", "TillModel", locks],
            path: "Tests/Simulation/Ledger"
        ),
        .target(
            name: "TillSimulation",
            dependencies: [
                "TestValues", "TillClient", "TillEngine", "TillInvariants", "TillMemoryLedger", "TillModel", logging,
            ],
            path: "Tests/Simulation/World"
        ),
        .executableTarget(
            name: "till-simulate",
            dependencies: ["TillInvariants", "TillSimulation", argumentParser],
            path: "Tests/Simulation/Tool"
        ),
        .testTarget(
            name: "TillSimulationTests",
            dependencies: ["TillInvariants", "TillSimulation"]
        ),
        .testTarget(
            name: "TillMetricsTests",
            dependencies: ["TillMetrics", "TillModel", .product(name: "CoreMetrics", package: "swift-metrics")]
        ),
        .testTarget(name: "TidyTests"),
        .testTarget(
            name: "TillWireTests",
            dependencies: ["TestValues", "TillModel", "TillWire"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

if plantsMutants {
    package.targets.append(.target(name: "Mutants", path: "Tests/Mutants", exclude: ["run"]))
}

// The fuzzer is a program that only its sanitizer can link, of modules that are compiled for testing in a release, too;
// so it takes the place of the tests that replay its corpus when `make fuzz` asks for it.
if Context.environment["TILL_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzTests",
            dependencies: fuzzed,
            exclude: ["Corpus", "run"]
        )
    )
} else {
    package.targets += [
        .target(name: "FuzzTargets", dependencies: fuzzed, path: "Tests/FuzzTests/Targets"),
        .executableTarget(
            name: "till-fuzz",
            dependencies: ["FuzzTargets"],
            path: "Tests/FuzzProgram"
        ),
    ]
}

for target in package.targets where target.type != .system {
    target.swiftSettings = settings
}
