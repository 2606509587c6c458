export function create(name: string): User {
  return new User(name); // calls :User.constructor
}

export default class User {
  constructor(readonly name: string) {}
  save(): void {}
}
