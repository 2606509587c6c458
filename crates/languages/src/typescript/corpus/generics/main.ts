import { Entity, Store, first, make, pair } from "./collections";

class User implements Entity {
  id(): string {
    return "user";
  }
  rename(): User {
    return this;
  }
  account(): Account {
    return new Account(); // calls :Account
  }
}

class Account implements Entity {
  id(): string {
    return "account";
  }
  close(): void {}
  rename(): void {}
}

const users = new Store<User>(); // calls collections.ts:Store
users.add(new User()).add(make(User)); // calls collections.ts:Store.add, collections.ts:make, :User
users.first().rename().account().close(); // calls collections.ts:Store.first, :User.rename, :User.account, :Account.close
users.get("user")?.rename(); // calls collections.ts:Store.get, :User.rename

const accounts = users.map((user) => user.account()); // calls collections.ts:Store.map, :User.account
accounts.first().close(); // calls collections.ts:Store.first, :Account.close

for (const user of users.values()) { // calls collections.ts:Store.values
  user.rename(); // calls :User.rename
}

first([new User()]).rename(); // calls collections.ts:first, :User, :User.rename
make(Account).rename(); // calls collections.ts:make, :Account.rename (missed)
const [left, right] = pair(make(User), make(Account)); // calls collections.ts:pair, collections.ts:make
left.rename(); // calls :User.rename (missed)
right.rename(); // calls :Account.rename (missed)

const byName: Record<string, User> = {};
byName["a"].rename(); // calls :User.rename (missed)
const index = new Map<string, Account[]>();
index.get("b")?.forEach((account) => account.close()); // calls :Account.close

function load(): Store<Account> {
  return accounts;
}
type Loaded = ReturnType<typeof load>;
function use(loaded: Loaded, keep: Partial<User>, read: Readonly<Account>): void {
  loaded.first().close(); // calls collections.ts:Store.first, :Account.close
  keep.rename?.(); // calls :User.rename
  read.close(); // calls :Account.close
}
use(load(), {}, accounts.first()); // calls :use, :load, collections.ts:Store.first
