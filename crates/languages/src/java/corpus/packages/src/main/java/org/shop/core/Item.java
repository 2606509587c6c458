package org.shop.core;

public class Item {
    private final String name;

    public Item(String name) {
        this.name = Names.clean(name); // calls src/main/java/org/shop/core/Names.java:Names.clean
    }

    public String name() {
        return name;
    }

    public static Item of(String name) {
        return new Item(name); // calls :Item.Item
    }

    public static class Part {
        public static Part of(String name) {
            return new Part(); // calls :Item.Part
        }

        public Item whole() {
            return Item.of("whole"); // calls :Item.of
        }
    }
}
