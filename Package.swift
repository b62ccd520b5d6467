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

let package = Package(
    name: "till",
    products: [
        .library(name: "TillModel", targets: ["TillModel"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    ],
    targets: [
        .target(name: "TillModel", swiftSettings: settings),
        .target(
            name: "TillEngine",
            dependencies: [
                "TillModel",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings
        ),
        .target(name: "TillProviders", dependencies: ["TillEngine", "TillModel"], swiftSettings: settings),
        .testTarget(
            name: "TillEngineTests",
            dependencies: [
                "TillEngine", "TillModel",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TillProvidersTests",
            dependencies: ["TillEngine", "TillModel", "TillProviders"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
