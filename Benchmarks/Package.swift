// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let cSettings: [CSetting] = [
    .define("_GNU_SOURCE"),
    .enableWarning("all"),
    .enableWarning("extra"),
    .treatAllWarnings(as: .error),
]

// This is a separate package, so that users of Till do not get the benchmark's dependencies.
let package = Package(
    name: "till-benchmarks",
    products: [
        .executable(name: "till-bench", targets: ["till-bench"]),
        .executable(name: "till-client-load", targets: ["till-client-load"]),
        .executable(name: "load", targets: ["load"]),
        .executable(name: "dbus-echo", targets: ["dbus-echo"]),
        .executable(name: "floor", targets: ["floor"]),
        .library(name: "slow-flush", type: .dynamic, targets: ["slow-flush"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift.git", from: "0.2.0"),
        .package(name: "till", path: ".."),
    ],
    targets: [
        .executableTarget(
            name: "till-bench",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                "Gauges",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "till-client-load",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "StoreKit", package: "till"),
                .product(name: "TTRPC", package: "till"),
                .product(name: "TillClient", package: "till"),
                "Gauges",
            ],
            swiftSettings: settings
        ),
        .target(name: "Gauges", swiftSettings: settings),
        .executableTarget(name: "load", dependencies: ["dbus-wire", "patient-connect"], cSettings: cSettings),
        .executableTarget(name: "dbus-echo", dependencies: ["dbus-wire", "patient-connect"], cSettings: cSettings),
        .target(name: "dbus-wire", cSettings: cSettings),
        .target(name: "patient-connect", cSettings: cSettings),
        .executableTarget(
            name: "floor",
            dependencies: ["ledger-vfs"],
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        // The folder is a link to Till's own. A program that writes a ledger gives its pages their checksums.
        .target(name: "ledger-vfs", cSettings: cSettings),
        .target(name: "slow-flush", cSettings: cSettings, linkerSettings: [.linkedLibrary("dl")]),
    ],
    swiftLanguageModes: [.v6]
)
