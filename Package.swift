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
        .target(name: "TillModel", swiftSettings: settings),
        .target(name: "TillCatalogue", dependencies: ["TillModel"], swiftSettings: settings),
        .testTarget(
            name: "TillCatalogueTests",
            dependencies: ["TillCatalogue", "TillModel"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
