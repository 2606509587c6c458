import java.util.List;
import java.util.Map;

class Main {
    static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    static <E extends Entity<?>> E same(E entity) {
        entity.id(); // calls Repo.java:Entity.id
        return entity;
    }

    static <T> T make(Class<T> type) throws Exception {
        return type.getDeclaredConstructor().newInstance();
    }

    static void close(List<? extends Account> accounts, Map<String, List<Account>> byName) throws Exception {
        accounts.get(0).close(); // calls Repo.java:Account.close
        byName.get("a").forEach(account -> account.close()); // calls Repo.java:Account.close
        for (var entry : byName.entrySet()) {
            last(entry.getValue()).close(); // calls :Main.last, Repo.java:Account.close
        }
        Repo.max(accounts).close(); // calls Repo.java:Repo.max, Repo.java:Account.close
        make(Account.class).rename("x"); // calls :Main.make, Repo.java:Account.rename
        Main.<Account>last(List.of()).rename("z"); // calls :Main.last, Repo.java:Account.rename
    }

    static void users(Users users) {
        users.save(new User()).get("u").rename("a"); // calls Repo.java:Repo.save, Repo.java:User, Repo.java:Repo.get, Repo.java:User.rename
        users.find("u").map(user -> user.account()).ifPresent(account -> account.close()); // calls Repo.java:Repo.find, Repo.java:User.account, Repo.java:Account.close
        users.map(User::account).get(0).close(); // calls Repo.java:Repo.map, Repo.java:Account.close
        users.map(user -> user.rename("b").account()).get(0).rename("y"); // calls Repo.java:Repo.map, Repo.java:User.rename, Repo.java:User.account, Repo.java:Account.rename
        same(users.first()).rename("c"); // calls :Main.same, Repo.java:Users.first, Repo.java:User.rename
        users.get("u").id().trim(); // calls Repo.java:Repo.get, Repo.java:User.id
    }
}
