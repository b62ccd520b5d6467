// swift-tools-version: 6.2
import PackageDescription

// A package like an application's: it uses only the module StoreKit of Till. Symbolic links compile the same sources in
// both language modes.
let package = Package(
    name: "Consumers",
    dependencies: [.package(name: "till", path: "../..")],
    targets: [("5", SwiftLanguageMode.v5), ("6", .v6)].flatMap { (suffix, mode) -> [Target] in
        let settings: [SwiftSetting] = [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)]
        return [
            .target(
                name: "PurchaseKit\(suffix)",
                dependencies: [.product(name: "StoreKit", package: "till")],
                swiftSettings: settings
            ),
            .executableTarget(
                name: "shop\(suffix)",
                dependencies: [.target(name: "PurchaseKit\(suffix)"), .product(name: "StoreKit", package: "till")],
                swiftSettings: settings + [.define("MODE_\(suffix)")]
            ),
        ]
    }
)
