package app;

public interface Repository<T> {
    T load(long id);

    default T first() {
        return load(1); // calls :Repository.load
    }
}
