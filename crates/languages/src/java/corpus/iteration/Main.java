import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class Word {
    String text() {
        return "word";
    }

    // The name of a method of every iterator.
    Word next() {
        return this;
    }
}

class Main {
    static Word[][] table = new Word[2][2];

    static void run(Map<Word, List<Word>> groups, Iterable<? extends Word> some) {
        Ring<Word> ring = Ring.of(new Word(), new Word()); // calls Ring.java:Ring.of, :Word
        for (Word word : ring) word.text(); // calls :Word.text
        for (var word : ring) word.next().text(); // calls :Word.next, :Word.text
        ring.each(word -> word.text()); // calls Ring.java:Ring.each, :Word.text
        ring.forEach(word -> word.next()); // calls :Word.next
        ring.get(1).text(); // calls Ring.java:Ring.get, :Word.text
        ring.iterator().next().text(); // calls Ring.java:Ring.iterator, :Word.text
        for (Map.Entry<Word, List<Word>> entry : groups.entrySet()) {
            entry.getKey().text(); // calls :Word.text
            entry.getValue().iterator().next().next(); // calls :Word.next
        }
        groups.keySet().iterator().next().next(); // calls :Word.next
        for (Iterator<? extends Word> all = some.iterator(); all.hasNext(); ) {
            all.next().next(); // calls :Word.next
        }
        for (Word[] row : table) {
            for (Word word : row) word.text(); // calls :Word.text
        }
        Deque<Word> queue = new ArrayDeque<>(List.of(new Word())); // calls :Word
        while (!queue.isEmpty()) queue.poll().text(); // calls :Word.text
        new TreeMap<String, Word>().firstEntry().getValue().text(); // calls :Word.text
        groups.getOrDefault(new Word(), List.of()).forEach(word -> word.text()); // calls :Word, :Word.text
        groups.computeIfAbsent(table[0][0].next(), key -> List.of(key.next())).get(0).text(); // calls :Word.next, :Word.text
    }
}
