class Config { func reload() {}; var child: Config? }
let config = Config()  // calls :Config
var other = makeConfig()  // calls :makeConfig
func makeConfig() -> Config { Config() }  // calls :Config
func run() {
    config.reload()  // calls :Config.reload
    other.reload()  // calls :Config.reload
    config.child?.reload()  // calls :Config.reload
}
config.reload()  // calls :Config.reload
