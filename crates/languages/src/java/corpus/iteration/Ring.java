import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

class Ring<T> implements Iterable<T> {
    private Node<T> head;
    private int size;

    private static class Node<T> {
        T value;
        Node<T> next;

        Node(T value) {
            this.value = value;
        }

        Node<T> skip(int count) {
            return count == 0 ? this : next.skip(count - 1); // calls :Ring.Node.skip
        }
    }

    @SafeVarargs
    static <T> Ring<T> of(T... values) {
        Ring<T> ring = new Ring<>(); // calls :Ring
        for (T value : values) ring.add(value); // calls :Ring.add
        return ring;
    }

    void add(T value) {
        Node<T> node = new Node<>(value); // calls :Ring.Node.Node
        node.next = head;
        head = node;
        size++;
    }

    T get(int index) {
        return head.skip(index).value; // calls :Ring.Node.skip
    }

    @Override
    public Iterator<T> iterator() {
        return new Walker(head); // calls :Ring.Walker.Walker
    }

    private class Walker implements Iterator<T> {
        private Node<T> at;
        private int left = size;

        Walker(Node<T> at) {
            this.at = at;
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public T next() {
            if (!hasNext()) throw new NoSuchElementException(); // calls :Ring.Walker.hasNext
            left--;
            T value = at.value;
            at = at.skip(1); // calls :Ring.Node.skip
            return value;
        }
    }

    void each(Consumer<? super T> action) {
        Iterator<T> walker = iterator(); // calls :Ring.iterator
        while (walker.hasNext()) action.accept(walker.next());
    }
}
