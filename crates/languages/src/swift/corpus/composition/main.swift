protocol Readable { func read() }
protocol Writable { func write() }
typealias Device = Readable & Writable
struct Disk: Device { func read() {}; func write() {} }
func copy(_ from: Readable, _ to: any Readable & Writable, _ device: Device) {
    from.read()  // calls :Readable.read
    to.write()  // calls :Writable.write
    to.read()  // calls :Readable.read
    device.write()  // calls :Writable.write
    Disk().read()  // calls :Disk, :Disk.read
}
