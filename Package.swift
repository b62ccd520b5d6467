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
        .library(name: "TillModel", targets: ["TillModel"]),
        .library(name: "TTRPC", targets: ["TTRPC"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
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
        .target(
            name: "TTRPC",
            dependencies: [
                "CTTRPCMessages",
                "ProtobufCodec",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TTRPCTests",
            dependencies: [
                "TTRPC",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
