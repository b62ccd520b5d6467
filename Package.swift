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
            name: "CCodecFixtures",
            dependencies: ["CProtobufC"],
            path: "Tests/CCodecFixtures",
            exclude: ["fixtures/kinds.proto"]
        ),
        .testTarget(
            name: "ProtobufCodecTests",
            dependencies: ["CCodecFixtures", "CTTRPCMessages", "ProtobufCodec"],
            swiftSettings: settings
        ),
        .testTarget(name: "TillWireTests", dependencies: ["TillModel", "TillWire"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
