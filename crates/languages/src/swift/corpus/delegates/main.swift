protocol Delegate: AnyObject { func didLoad(_ view: View); func didFail() }
class View {
    weak var delegate: Delegate?
    func load() { delegate?.didLoad(self); delegate?.didFail() }  // calls :Delegate.didLoad, :Delegate.didFail
    func close() {}
}
class Owner: Delegate {
    let view = View()  // calls :View
    init() { view.delegate = self }
    func didLoad(_ view: View) { view.close(); finish() }  // calls :View.close, :Owner.finish
    private func finish() {}
}
extension Owner { func didFail() { view.close() } }  // calls :View.close
