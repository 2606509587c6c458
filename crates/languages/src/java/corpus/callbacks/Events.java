import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

@FunctionalInterface
interface Handler<E> {
    void handle(E event);

    default Handler<E> then(Handler<? super E> next) {
        return event -> {
            handle(event); // calls :Handler.handle
            next.handle(event); // calls :Handler.handle
        };
    }

    static <E> Handler<E> silent() {
        return event -> {};
    }
}

class Event {
    Event copy() {
        return new Event(); // calls :Event
    }

    void cancel() {}
}

class KeyEvent extends Event {
    @Override
    KeyEvent copy() {
        return this;
    }

    char key() {
        return 'k';
    }
}

class Bus {
    private final List<Handler<Event>> handlers = new ArrayList<>();
    private final Map<String, Handler<KeyEvent>> keys = new LinkedHashMap<>();
    private Handler<Event> last = Handler.silent(); // calls :Handler.silent
    private Function<Event, KeyEvent> change = event -> new KeyEvent(); // calls :KeyEvent

    Bus on(Handler<Event> handler) {
        handlers.add(handler);
        last = last.then(handler); // calls :Handler.then
        return this;
    }

    void onKey(String name, Handler<KeyEvent> handler) {
        keys.put(name, handler);
    }

    void fire(Event event) {
        for (Handler<Event> handler : handlers) handler.handle(event); // calls :Handler.handle
        handlers.forEach(handler -> handler.handle(event.copy())); // calls :Handler.handle, :Event.copy
        keys.get("a").handle(change.apply(event)); // calls :Handler.handle
        change.apply(event).key(); // calls :KeyEvent.key
        keys.computeIfAbsent("b", key -> Handler.silent()).then(this::fire).handle(new KeyEvent()); // calls :Handler.silent, :Handler.then, :Handler.handle, :KeyEvent
    }

    void each(BiConsumer<String, Handler<KeyEvent>> action) {
        keys.forEach(action);
    }

    CompletableFuture<KeyEvent> later() {
        return CompletableFuture.supplyAsync(() -> new KeyEvent()); // calls :KeyEvent
    }
}

class Main {
    private int handle(Event event) {
        return 0;
    }

    void run(Bus bus) throws Exception {
        bus.on(event -> event.cancel()).on(this::handle); // calls :Bus.on, :Event.cancel
        bus.onKey("a", event -> event.copy().key()); // calls :Bus.onKey, :KeyEvent.copy, :KeyEvent.key
        bus.onKey("b", (KeyEvent event) -> handle(event)); // calls :Bus.onKey, :Main.handle
        bus.each((name, handler) -> handler.handle(new KeyEvent())); // calls :Bus.each, :Handler.handle, :KeyEvent
        bus.later().thenApply(event -> event.copy()).thenAccept(event -> event.key()); // calls :Bus.later, :KeyEvent.copy, :KeyEvent.key
        bus.later().get().key(); // calls :Bus.later, :KeyEvent.key
        Handler<Event> stored = this::handle;
        stored.then(Event::cancel).handle(new Event()); // calls :Handler.then, :Handler.handle, :Event
        new Thread(() -> bus.fire(new Event())).start(); // calls :Bus.fire, :Event
    }
}
