struct Owner { let pet: Pet; func name() -> String { "o" } }
struct Pet { let tag: Tag; func feed() {} }
struct Tag { func scan() {} }
func read<T>(_ owner: Owner, _ path: KeyPath<Owner, T>) -> T { owner[keyPath: path] }

func run(owners: [Owner]) {
    owners.map(\.pet).forEach { $0.feed() }  // calls :Pet.feed
    owners.map(\Owner.pet.tag).first?.scan()  // calls :Tag.scan
    owners.compactMap(\.pet.tag).last?.scan()  // calls :Tag.scan
    read(owners[0], \.pet).feed()  // calls :read, :Pet.feed
}
