import java.io.IOException;
import java.io.UncheckedIOException;

class Main {
    String load(String path) {
        try (Resource resource = Resource.open(path); // calls Errors.java:Resource.open
            Resource other = Resource.open("b")) { // calls Errors.java:Resource.open
            return resource.read() + other.with(() -> new Code()).number(); // calls Errors.java:Resource.read, Errors.java:Resource.with, Errors.java:Code, Errors.java:Code.number
        } catch (NotFound missing) {
            return missing.path() + missing.code().number(); // calls Errors.java:NotFound.path, Errors.java:AppException.code, Errors.java:Code.number
        } catch (AppException | IOException error) {
            return error.getMessage();
        } finally {
            done(); // calls :Main.done
        }
    }

    private void done() {}

    static <X extends AppException> void rethrow(X error) throws X {
        error.code().getMessage(); // calls Errors.java:AppException.code, Errors.java:Code.getMessage
        throw error;
    }

    public static void main(String[] args) throws IOException {
        try {
            new Main().load("x"); // calls :Main, :Main.load
            rethrow(new NotFound("y")); // calls :Main.rethrow, Errors.java:NotFound.NotFound
        } catch (UncheckedIOException error) {
            throw error.getCause();
        } catch (RuntimeException error) {
            AppException.of(error).code().number(); // calls Errors.java:AppException.of, Errors.java:AppException.code, Errors.java:Code.number
        }
        var resource = Resource.open("z"); // calls Errors.java:Resource.open
        try (resource) {
            resource.read(); // calls Errors.java:Resource.read
        }
    }
}
