class Controller {
    func update() {}
    var action: (() -> Void)?
    func setup(_ other: Controller) {
        action = { [weak self] in self?.update() }  // calls :Controller.update
        action = { [unowned self] in update() }  // calls :Controller.update
        action = { [weak other, copy = other] in other?.update(); copy.update() }  // calls :Controller.update
        action = { [weak self] in
            guard let self else { return }
            self.update()  // calls :Controller.update
            update()  // calls :Controller.update
        }
    }
}
