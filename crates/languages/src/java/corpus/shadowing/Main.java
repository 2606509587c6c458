import java.util.List;
import java.util.function.Function;

class Parent {
    static Tool tool = new Tool(); // calls :Tool
    String text = "parent";

    static String kind() {
        return "parent";
    }

    void show(Object value) {}
}

class Tool {
    Tool use() {
        return this;
    }

    void show(Object value) {}

    String trim() {
        return "tool";
    }
}

class Gadget {
    Gadget use() {
        return this;
    }

    String trim() {
        return "gadget";
    }

    static Gadget tool() {
        return new Gadget(); // calls :Gadget
    }
}

class Main extends Parent {
    // The field hides the one of the parent.
    Gadget tool = Gadget.tool(); // calls :Gadget.tool
    Tool text = new Tool(); // calls :Tool

    static String kind() {
        return "main" + Parent.kind(); // calls :Parent.kind
    }

    // A method and a field may have one name.
    Tool tool() {
        return super.tool.use(); // calls :Tool.use (missed), :Gadget.use (wrong)
    }

    void show(String value) {}

    void run(String text) {
        tool.use().trim(); // calls :Gadget.use, :Gadget.trim
        tool().use().trim(); // calls :Main.tool, :Tool.use, :Tool.trim
        text.trim();
        this.text.trim(); // calls :Tool.trim
        ((Parent) this).text.trim();
        Parent.tool.trim(); // calls :Tool.trim
        {
            Tool tool = new Tool(); // calls :Tool
            tool.trim(); // calls :Tool.trim
        }
        tool.trim(); // calls :Gadget.trim
        Function<Gadget, String> one = gadget -> gadget.use().trim(); // calls :Gadget.use, :Gadget.trim
        for (Gadget kind : List.of(tool)) kind.use(); // calls :Gadget.use
        kind(); // calls :Main.kind
        show("text"); // calls :Main.show
        show(1); // calls :Parent.show
        new Tool().show(one); // calls :Tool, :Tool.show
    }

    // The type parameter hides the class.
    <Tool extends Gadget> void hide(Tool tool) {
        tool.use(); // calls :Gadget.use
    }

    static class Texts {
        static class String {
            void trim() {}

            static String valueOf(Object value) {
                return new String(); // calls :Main.Texts.String
            }
        }

        void strings() {
            String.valueOf(1).trim(); // calls :Main.Texts.String.valueOf, :Main.Texts.String.trim
            java.lang.String.valueOf(1).trim();
            "literal".trim();
        }
    }

    void strings() {
        String.valueOf(1).trim();
    }
}
