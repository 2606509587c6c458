import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

final class Request extends Message {
    private final String url;

    private Request(Builder builder) {
        this.url = builder.url;
    }

    static Builder builder() {
        return new Builder(); // calls :Request.Builder
    }

    static Request build(Consumer<Builder> fill) {
        Builder builder = builder(); // calls :Request.builder
        fill.accept(builder);
        return builder.build(); // calls :Request.Builder.build
    }

    Builder toBuilder() {
        return builder().url(url); // calls :Request.builder, :Request.Builder.url
    }

    String url() {
        return url;
    }

    static final class Builder extends Message.Builder<Builder> {
        private String url;

        Builder url(String url) {
            this.url = url;
            return this;
        }

        @Override
        protected Builder self() {
            return this;
        }

        Request build() {
            check(); // calls :Message.Builder.check
            return new Request(this); // calls :Request.Request
        }
    }
}

abstract class Message {
    abstract static class Builder<B extends Builder<B>> {
        private final List<String> headers = new ArrayList<>();

        B header(String header) {
            headers.add(header);
            return self(); // calls :Message.Builder.self
        }

        B apply(UnaryOperator<B> change) {
            return change.apply(self()); // calls :Message.Builder.self
        }

        protected abstract B self();

        protected void check() {}
    }
}
