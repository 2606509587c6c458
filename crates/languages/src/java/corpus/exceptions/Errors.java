import java.io.IOException;
import java.util.function.Supplier;

class AppException extends RuntimeException {
    private final Code code;

    AppException(String message, Code code) {
        super(message);
        this.code = code;
    }

    AppException(String message) {
        this(message, new Code()); // calls :AppException.AppException@7, :Code
    }

    Code code() {
        return code;
    }

    static AppException of(Throwable cause) {
        if (cause instanceof AppException app) {
            return app.wrapped(); // calls :AppException.wrapped
        }
        return new AppException(cause.getMessage()); // calls :AppException.AppException@12
    }

    protected AppException wrapped() {
        return this;
    }
}

class NotFound extends AppException {
    NotFound(String path) {
        super(path); // calls :AppException.AppException@12
    }

    String path() {
        return getMessage();
    }
}

class Code {
    int number() {
        return 1;
    }

    String getMessage() {
        return "code";
    }
}

class Resource implements AutoCloseable {
    static Resource open(String path) throws IOException {
        if (path.isEmpty()) throw new IOException(path);
        return new Resource(); // calls :Resource
    }

    <T> T with(Supplier<T> work) {
        try {
            return work.get();
        } catch (RuntimeException error) {
            throw AppException.of(error); // calls :AppException.of
        } finally {
            close(); // calls :Resource.close
        }
    }

    String read() {
        throw new NotFound("r"); // calls :NotFound.NotFound
    }

    @Override
    public void close() {}
}
