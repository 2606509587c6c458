package org.multi.api;

public abstract class Plugin {
    public static final Plugin NONE = new Plugin() { // calls :Plugin
        @Override
        protected void start() {}
    };

    protected abstract void start();

    public final Plugin launch() {
        start(); // calls :Plugin.start
        Registry.shared().add(this); // calls api/src/main/java/org/multi/api/Registry.java:Registry.shared, api/src/main/java/org/multi/api/Registry.java:Registry.add
        return this;
    }
}
