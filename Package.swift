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

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

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
        .systemLibrary(
            name: "CProtobufC",
            pkgConfig: "libprotobuf-c",
            providers: [.apt(["libprotobuf-c-dev"])]
        ),
        .target(name: "CTTRPCMessages", dependencies: ["CProtobufC"]),
        .target(name: "CTillMessages", dependencies: ["CProtobufC"]),
        .target(name: "TillModel", swiftSettings: settings),
        .target(name: "ProtobufCodec", dependencies: ["CProtobufC"], swiftSettings: settings),
        .target(
            name: "TillWire",
            dependencies: ["CTillMessages", "ProtobufCodec", "TillModel"],
            swiftSettings: settings
        ),
        .target(
            name: "TillEngine",
            dependencies: ["TillModel", logging, .product(name: "Metrics", package: "swift-metrics")],
            swiftSettings: settings
        ),
        .target(name: "TillProviders", dependencies: ["TillEngine", "TillModel"], swiftSettings: settings),
        .target(
            name: "CCodecFixtures",
            dependencies: ["CProtobufC"],
            path: "Tests/CCodecFixtures",
            exclude: ["fixtures/kinds.proto"]
        ),
        .testTarget(
            name: "ProtobufCodecTests",
            dependencies: ["CCodecFixtures", "CProtobufC", "CTTRPCMessages", "ProtobufCodec"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TillEngineTests",
            dependencies: ["TillEngine", "TillModel", logging],
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
