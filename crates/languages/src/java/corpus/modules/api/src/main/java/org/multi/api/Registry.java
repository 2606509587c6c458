package org.multi.api;

import java.util.ArrayList;
import java.util.List;

public final class Registry {
    private static volatile Registry shared;
    private final List<Plugin> plugins = new ArrayList<>();

    private Registry() {}

    public static Registry shared() {
        if (shared == null) {
            synchronized (Registry.class) {
                if (shared == null) shared = new Registry(); // calls :Registry.Registry
            }
        }
        return shared;
    }

    public Registry add(Plugin plugin) {
        plugins.add(plugin);
        return this;
    }

    public Plugin first() {
        return plugins.isEmpty() ? Plugin.NONE : plugins.get(0);
    }
}
