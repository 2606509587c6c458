struct Safe {
    private func secret() {}
    fileprivate func half() {}
    func open() { secret(); half() }  // calls :Safe.secret, :Safe.half
}
extension Safe { func more() { secret() } }  // calls :Safe.secret
private func helper() {}
func run() { Safe().open(); Safe().half(); helper() }  // calls :Safe@1, :Safe.open, :Safe.half, :helper
