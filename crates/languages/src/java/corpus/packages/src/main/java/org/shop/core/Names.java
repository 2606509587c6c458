package org.shop.core;

final class Names {
    static final String EMPTY = "";

    private Names() {}

    static String clean(String name) {
        return name == null ? EMPTY : trim(name); // calls :Names.trim
    }

    private static String trim(String name) {
        return name.trim();
    }
}

class Hidden {
    Item item() {
        return Item.Part.of("p").whole(); // calls src/main/java/org/shop/core/Item.java:Item.Part.of, src/main/java/org/shop/core/Item.java:Item.Part.whole
    }
}
