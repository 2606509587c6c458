import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;

class Log {
    Log() {
        this("root"); // calls :Log.Log@10
    }

    Log(String name) {
        this(name, 0); // calls :Log.Log@14
    }

    Log(String name, int level) {}

    void write(Object value) {}

    void write(String text) {}

    void write(int number) {}

    void write(long number) {}

    void write(double number) {}

    void write(char one) {}

    void write(String format, Object... values) {}

    void each(Collection<String> all) {}

    void each(List<String> all) {}

    void run(Runnable task) {}

    <T> T run(Callable<T> task) throws Exception {
        return task.call();
    }

    static Log of(String name) {
        return new Log(name); // calls :Log.Log@10
    }

    static Log of(String name, Log parent) {
        return parent;
    }
}
