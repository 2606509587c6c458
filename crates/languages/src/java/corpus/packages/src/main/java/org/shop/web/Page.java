package org.shop.web;

import static java.lang.Math.max;
import static org.shop.core.Item.Part.of;
import static org.shop.web.Tools.*;

import java.util.List;
import org.remote.Client;
import org.shop.core.*;
import org.shop.core.Item.Part;

class Page {
    // The class of the same package wins over the import on demand.
    private final Item own = Item.of("own"); // calls src/main/java/org/shop/web/Item.java:Item.of
    private final org.shop.core.Item core = org.shop.core.Item.of("core"); // calls src/main/java/org/shop/core/Item.java:Item.of

    String show() {
        max(1, 2);
        join("a", own.name()); // calls src/main/java/org/shop/web/Tools.java:Tools.join, src/main/java/org/shop/web/Item.java:Item.name
        of("x").whole().name(); // calls src/main/java/org/shop/core/Item.java:Item.Part.of, src/main/java/org/shop/core/Item.java:Item.Part.whole, src/main/java/org/shop/core/Item.java:Item.name
        Part.of("y"); // calls src/main/java/org/shop/core/Item.java:Item.Part.of
        Client.of("z").name();
        List.of("q");
        return core.name() + Tools.max(List.of()); // calls src/main/java/org/shop/core/Item.java:Item.name, src/main/java/org/shop/web/Tools.java:Tools.max
    }
}
