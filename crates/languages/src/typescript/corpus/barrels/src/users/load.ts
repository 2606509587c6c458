import User, { create } from ".";

export interface Options {
  filter(user: User): boolean;
}

export function load({ filter }: Options): User {
  const user = create("a"); // calls src/users/model.ts:create
  return filter(user) ? user : new User("b"); // calls :Options.filter, src/users/model.ts:User.constructor
}
