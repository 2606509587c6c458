class Main {
    public static void main(String[] args) {
        Request request = Request.builder() // calls Request.java:Request.builder
            .header("a") // calls Request.java:Message.Builder.header
            .url("/") // calls Request.java:Request.Builder.url
            .apply(builder -> builder.url("/b")) // calls Request.java:Message.Builder.apply, Request.java:Request.Builder.url
            .header("b") // calls Request.java:Message.Builder.header
            .build(); // calls Request.java:Request.Builder.build
        request.toBuilder().build().url().trim(); // calls Request.java:Request.toBuilder, Request.java:Request.Builder.build, Request.java:Request.url
        Request.build(builder -> builder.header("c").url("/d")); // calls Request.java:Request.build, Request.java:Message.Builder.header, Request.java:Request.Builder.url
        Request.Builder builder = new Request.Builder(); // calls Request.java:Request.Builder
        builder.url("x").build(); // calls Request.java:Request.Builder.url, Request.java:Request.Builder.build
        String text = new StringBuilder().append(builder.build().url()).toString(); // calls Request.java:Request.Builder.build, Request.java:Request.url
        System.out.println(text);
    }
}
