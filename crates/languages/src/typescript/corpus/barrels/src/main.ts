import Person, { create, loadUser } from "@app/users";
import { create as createSettings, load } from "config";
import { create as createRemote } from "remote";
import * as users from "@app/users/index";
import type { Options } from "@app/users";

create("a").save(); // calls src/users/model.ts:create, src/users/model.ts:User.save
createSettings(); // calls src/settings.ts:create
createRemote().save();
load(); // calls src/settings.ts:load
loadUser({ filter: () => true }).save(); // calls src/users/load.ts:load, src/users/model.ts:User.save
new Person("b").save(); // calls src/users/model.ts:User.constructor, src/users/model.ts:User.save
users.loadUser({ filter: (user) => (user.save(), true) }); // calls src/users/load.ts:load, src/users/model.ts:User.save
new users.default("c"); // calls src/users/model.ts:User.constructor

export function run(options: Options): void {
  import("@app/settings").then((settings) => settings.create()); // calls src/settings.ts:create (missed)
  options.filter(create("d")); // calls src/users/load.ts:Options.filter, src/users/model.ts:create
}
