import Foundation
class Service: NSObject {
    func start() { let data = Data(); print(data.count); stop() }  // calls :Service.stop
    func stop() { _ = Date().timeIntervalSince1970 }
    override var description: String { String(describing: self) }
}
func run() {
    let service = Service()  // calls :Service
    service.start()  // calls :Service.start
    print(max(1, 2), [3, 1].sorted())
    _ = service.isEqual(nil)
}
