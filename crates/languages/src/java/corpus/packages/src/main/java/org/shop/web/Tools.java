package org.shop.web;

import java.util.List;

public class Tools {
    public static String max(List<String> names) {
        return names.get(0);
    }

    public static String join(String first, String second) {
        return String.join(first, second);
    }
}
