package org.multi.app;

import org.multi.api.Plugin;
import org.multi.api.Registry;

public class Main extends Plugin {
    // The nested class hides the imported one here.
    static class Local {
        static class Registry {
            static Registry shared() {
                return new Registry(); // calls :Main.Local.Registry
            }

            Registry first() {
                return shared(); // calls :Main.Local.Registry.shared
            }
        }

        static void run() {
            Registry.shared().first().first(); // calls :Main.Local.Registry.shared, :Main.Local.Registry.first
        }
    }

    @Override
    protected void start() {
        Local.run(); // calls :Main.Local.run
    }

    public static void main(String[] args) {
        new Main().launch().launch(); // calls :Main, api/src/main/java/org/multi/api/Plugin.java:Plugin.launch
        Registry.shared().first().launch(); // calls api/src/main/java/org/multi/api/Registry.java:Registry.shared, api/src/main/java/org/multi/api/Registry.java:Registry.first, api/src/main/java/org/multi/api/Plugin.java:Plugin.launch
        Plugin.NONE.launch(); // calls api/src/main/java/org/multi/api/Plugin.java:Plugin.launch
        org.multi.api.Registry.shared().add(null); // calls api/src/main/java/org/multi/api/Registry.java:Registry.shared, api/src/main/java/org/multi/api/Registry.java:Registry.add
    }
}
