import java.util.ArrayList;
import java.util.Set;

class Main extends Log {
    Main() {
        super("main", 1); // calls Log.java:Log.Log@14
    }

    // One more signature beside the parent's.
    void write(Main main) {
        write("main"); // calls Log.java:Log.write@18
        super.write((Object) main); // calls Log.java:Log.write@16
    }

    void test(byte small, Long boxed, Integer count, StringBuilder text) throws Exception {
        write("a"); // calls Log.java:Log.write@18
        write(1); // calls Log.java:Log.write@20
        write(1L); // calls Log.java:Log.write@22
        write(1.5f); // calls Log.java:Log.write@24
        write('c'); // calls Log.java:Log.write@26
        write(small); // calls Log.java:Log.write@20
        write(boxed); // calls Log.java:Log.write@16
        write(text); // calls Log.java:Log.write@16
        write(text.toString()); // calls Log.java:Log.write@18
        write("%s", 1); // calls Log.java:Log.write@28
        write("a" + 1); // calls Log.java:Log.write@18
        write(count + 1); // calls Log.java:Log.write@20
        write(count > 0 ? "x" : "y"); // calls Log.java:Log.write@18
        write(this); // calls :Main.write (missed)
        write(true); // calls Log.java:Log.write@16
        each(new ArrayList<>()); // calls Log.java:Log.each@32
        each(Set.of("a")); // calls Log.java:Log.each@30
        run(() -> {}); // calls Log.java:Log.run@34
        run(() -> "x").trim(); // calls Log.java:Log.run@36
        run(() -> write("y")); // calls Log.java:Log.run@34, Log.java:Log.write@18
        Log.of("a").write(of("b", this)); // calls Log.java:Log.of@40, Log.java:Log.of@44, Log.java:Log.write@16
        new Log().each(null); // calls Log.java:Log.Log@6, Log.java:Log.each@32
    }
}
