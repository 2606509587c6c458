package org.shop.web;

public class Item {
    public String name() {
        return "web";
    }

    public static Item of(String name) {
        return new Item(); // calls :Item
    }
}
