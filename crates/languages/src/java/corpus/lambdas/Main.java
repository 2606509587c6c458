import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class Order {
    List<Line> lines() {
        return List.of(new Line(), new Line()); // calls :Line
    }

    Optional<Order> parent() {
        return Optional.empty();
    }

    String owner() {
        return "owner";
    }
}

class Line {
    int price() {
        return 1;
    }

    String map(Function<String, String> change) {
        return change.apply("line");
    }

    boolean filter() {
        return price() > 0; // calls :Line.price
    }
}

class Main {
    private final List<Order> orders = new ArrayList<>();
    private final Supplier<Line> source = () -> new Line(); // calls :Line

    int total() {
        return orders.stream()
            .flatMap(order -> order.lines().stream()) // calls :Order.lines
            .filter(line -> line.filter()) // calls :Line.filter
            .mapToInt(Line::price)
            .sum();
    }

    Map<String, List<Line>> byOwner() {
        Map<String, List<Order>> groups = orders.stream().collect(Collectors.groupingBy(Order::owner));
        groups.get("a").get(0).owner(); // calls :Order.owner
        groups.forEach((owner, list) -> list.get(0).owner().concat(owner)); // calls :Order.owner
        return orders.stream().collect(Collectors.toMap(order -> order.owner(), Order::lines)); // calls :Order.owner (missed)
    }

    String deep(Order order) {
        return order.parent() // calls :Order.parent
            .flatMap(Order::parent)
            .map(Order::lines)
            .map(lines -> lines.get(0))
            .filter(line -> line.price() > 1) // calls :Line.price
            .map(line -> line.map(text -> text.trim())) // calls :Line.map
            .orElseGet(() -> fallback()); // calls :Main.fallback
    }

    private static String fallback() {
        return "";
    }

    void functions() {
        Function<Order, List<Line>> lines = Order::lines;
        lines.andThen(list -> list.get(0)).apply(orders.get(0)).price(); // calls :Line.price (missed)
        Predicate<Line> cheap = line -> line.price() < 3; // calls :Line.price
        cheap.negate().test(source.get());
        source.get().price(); // calls :Line.price
        Comparator<Order> order = Comparator.comparing((Order one) -> one.owner()).thenComparing(o -> o.lines().size()); // calls :Order.owner, :Order.lines (missed)
        orders.sort(order);
        orders.sort((a, b) -> a.owner().compareTo(b.owner())); // calls :Order.owner
        Runnable run = () -> { total(); byOwner(); }; // calls :Main.total, :Main.byOwner
        run.run();
        var sorted = orders.stream().sorted(order).toList();
        sorted.get(0).owner(); // calls :Order.owner
        Stream.of(new Line(), new Line()).reduce((a, b) -> a.price() > b.price() ? a : b).get().price(); // calls :Line, :Line.price
        IntStream.range(0, 3).mapToObj(i -> orders.get(i)).findFirst().ifPresent(o -> o.owner()); // calls :Order.owner
        Arrays.stream(new Line[] {new Line()}).forEach(line -> line.price()); // calls :Line, :Line.price
        orders.removeIf(o -> o.lines().isEmpty()); // calls :Order.lines
    }
}
