// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "Shop",
    targets: [
        .target(name: "Core", path: "Sources/Core"),
        .target(name: "App", dependencies: ["Core"]),
        .testTarget(name: "AppTests", dependencies: ["App"]),
    ]
)
