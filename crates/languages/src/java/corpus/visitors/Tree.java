import java.util.List;

interface Visitor<R> {
    R visit(Leaf leaf);

    R visit(Branch branch);

    default R start(Node node) {
        return node.accept(this); // calls :Node.accept
    }
}

abstract class Node {
    abstract <R> R accept(Visitor<R> visitor);

    void print() {
        accept(new Printer()).trim(); // calls :Node.accept, :Printer
    }
}

class Leaf extends Node {
    final int value = 1;

    @Override
    <R> R accept(Visitor<R> visitor) {
        return visitor.visit(this); // calls :Visitor.visit@4
    }

    int value() {
        return value;
    }
}

class Branch extends Node {
    final List<Node> nodes = List.of();

    @Override
    <R> R accept(Visitor<R> visitor) {
        return visitor.visit(this); // calls :Visitor.visit@6
    }
}

class Sum implements Visitor<Integer> {
    @Override
    public Integer visit(Leaf leaf) {
        return leaf.value(); // calls :Leaf.value
    }

    @Override
    public Integer visit(Branch branch) {
        int sum = 0;
        for (Node node : branch.nodes) sum += node.accept(this); // calls :Node.accept
        return sum;
    }
}

class Printer implements Visitor<String> {
    private final StringBuilder out = new StringBuilder();

    @Override
    public String visit(Leaf leaf) {
        return out.append(leaf.value()).toString(); // calls :Leaf.value
    }

    @Override
    public String visit(Branch branch) {
        branch.nodes.forEach(node -> node.accept(this)); // calls :Node.accept
        branch.nodes.stream().map(this::start).forEach(out::append);
        visit(new Leaf()).concat("x"); // calls :Printer.visit@61, :Leaf
        return new Sum().start(branch).toString(); // calls :Sum, :Visitor.start
    }
}

class Main {
    static <R> R walk(Node node, Visitor<R> visitor) {
        if (node instanceof Leaf leaf) return visitor.visit(leaf); // calls :Visitor.visit@4
        return node.accept(visitor); // calls :Node.accept
    }

    public static void main(String[] args) {
        walk(new Leaf(), new Sum()).intValue(); // calls :Main.walk, :Leaf, :Sum
        new Sum().visit(new Leaf()).intValue(); // calls :Sum.visit@45, :Sum, :Leaf
        new Branch().accept(new Visitor<Leaf>() { // calls :Branch.accept, :Branch, :Visitor
            @Override
            public Leaf visit(Leaf leaf) {
                return leaf;
            }

            @Override
            public Leaf visit(Branch branch) {
                return start(branch.nodes.get(0)); // calls :Visitor.start
            }
        }).value(); // calls :Leaf.value
    }
}
