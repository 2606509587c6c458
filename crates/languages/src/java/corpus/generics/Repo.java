import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

interface Entity<K> {
    K id();
}

abstract class Repo<K, E extends Entity<K>> {
    protected final Map<K, E> all = new HashMap<>();

    Repo<K, E> save(E entity) {
        all.put(entity.id(), entity); // calls :Entity.id
        return this;
    }

    Optional<E> find(K id) {
        return Optional.ofNullable(all.get(id));
    }

    E get(K id) {
        return find(id).orElseThrow(); // calls :Repo.find
    }

    <R> List<R> map(Function<? super E, ? extends R> change) {
        List<R> out = new ArrayList<>();
        for (E one : all.values()) {
            one.id(); // calls :Entity.id
            out.add(change.apply(one));
        }
        return out;
    }

    static <T extends Comparable<T>> T max(List<? extends T> list) {
        T best = list.get(0);
        return best.compareTo(list.get(1)) > 0 ? best : list.get(1);
    }
}

class User implements Entity<String> {
    public String id() {
        return "u";
    }

    User rename(String name) {
        return this;
    }

    Account account() {
        return new Account(); // calls :Account
    }
}

class Account implements Entity<Integer>, Comparable<Account> {
    public Integer id() {
        return 1;
    }

    void close() {}

    void rename(String name) {}

    public int compareTo(Account other) {
        return id().compareTo(other.id()); // calls :Account.id
    }
}

class Users extends Repo<String, User> {
    User first() {
        return all.values().iterator().next().rename("first"); // calls :User.rename
    }
}
