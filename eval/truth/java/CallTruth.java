import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.Elements;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Prints, for every call site of a repository's Java files, what the compiler says it calls: one JSON
 * object a line. All files are attributed together, with the jars that are given. Sites whose symbol stays in
 * error are left out, and so are those where the type of an argument would choose among several methods, and
 * is not known: there the compiler takes any.
 *
 * <p>Usage: {@code java -Xmx6g --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED
 * CallTruth.java DIR [JAR:JAR…] > truth.jsonl}
 */
public final class CallTruth {
    private final Path root;
    private final String jars;
    private final Map<Element, Place> places = new IdentityHashMap<>();
    private final Set<String> ownClasses = new HashSet<>();
    /** Lines of output by file, line and column, so that the order never changes. */
    private final Map<String, TreeMap<Long, String>> sites = new TreeMap<>();

    private Trees trees;
    private Elements elements;
    private SourcePositions positions;

    private CallTruth(Path root, String jars) {
        this.root = root;
        this.jars = jars;
    }

    /** Where the name of a definition stands. */
    private record Place(String file, int line) {}

    /** A file's text with what is needed to turn a character offset into line and byte column. */
    private static final class Source {
        final String file;
        final String text;
        final CompilationUnitTree unit;

        Source(String file, CompilationUnitTree unit) throws IOException {
            this.file = file;
            this.unit = unit;
            this.text = unit.getSourceFile().getCharContent(true).toString();
        }

        int line(long offset) {
            return (int) unit.getLineMap().getLineNumber(offset);
        }

        int column(long offset) {
            int start = text.lastIndexOf('\n', (int) offset - 1) + 1;
            return text.substring(start, (int) offset).getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** Runs over one repository. */
    public static void main(String[] args) throws IOException {
        if (args.length != 1 && args.length != 2) {
            System.err.println("usage: CallTruth DIR [JAR:JAR…]");
            System.exit(1);
        }
        CallTruth truth = new CallTruth(Path.of(args[0]).toRealPath(), args.length == 2 ? args[1] : "");
        truth.run();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(p -> p.toString().endsWith(".java"))
                    .filter(p -> !p.endsWith("module-info.java") && !p.endsWith("package-info.java"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private void run() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager =
                compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    Writer.nullWriter(), manager, diagnostic -> { },
                    List.of("--class-path", jars, "-proc:none", "-implicit:none", "-nowarn", "-XDshould-stop.ifError=FLOW", "--enable-preview",
                            "--release", String.valueOf(Runtime.version().feature())),
                    null, manager.getJavaFileObjectsFromPaths(files()));
            List<Source> sources = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                Path path = Path.of(unit.getSourceFile().toUri());
                sources.add(new Source(root.relativize(path).toString().replace('\\', '/'), unit));
            }
            trees = Trees.instance(task);
            elements = task.getElements();
            positions = trees.getSourcePositions();
            analyze(task);
            for (Source source : sources) {
                new Definitions(source).scan(source.unit, null);
            }
            for (Source source : sources) {
                new Calls(source).scan(source.unit, null);
            }
        }
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        sites.values().forEach(lines -> lines.values().forEach(out::println));
        out.flush();
    }

    /** Attributes everything. A class on which the compiler itself fails is gone from its queue: go on with the next. */
    private static void analyze(JavacTask task) throws IOException {
        for (int failures = 0; failures < 1000; failures++) {
            try {
                task.analyze();
                return;
            } catch (IllegalStateException e) {
                System.err.println("passed over: " + e.getCause());
            }
        }
    }

    /** First pass: where every class and method stands. */
    private final class Definitions extends TreePathScanner<Void, Void> {
        private final Source source;

        Definitions(Source source) {
            this.source = source;
        }

        private void add(Tree tree) {
            Element element = trees.getElement(getCurrentPath());
            if (element != null) {
                int line = source.line(((JCTree) tree).pos);
                places.putIfAbsent(element, new Place(source.file, line));
                if (element instanceof TypeElement type) {
                    ownClasses.add(type.getQualifiedName().toString());
                }
            }
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            add(tree);
            return super.visitClass(tree, nothing);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            // A constructor that the compiler made has the place of its class.
            if (positions.getEndPosition(source.unit, tree) >= 0) {
                add(tree);
            }
            return super.visitMethod(tree, nothing);
        }
    }

    /** Second pass: the call sites. */
    private final class Calls extends TreePathScanner<Void, Void> {
        private final Source source;
        private final Map<String, String> imported = new HashMap<>();

        Calls(Source source) {
            this.source = source;
        }

        @Override
        public Void visitImport(ImportTree tree, Void nothing) {
            String name = tree.getQualifiedIdentifier().toString();
            int dot = name.lastIndexOf('.');
            String owner = tree.isStatic() ? name.substring(0, Math.max(dot, 0)) : name;
            String key = (tree.isStatic() ? "static " : "") + name.substring(dot + 1);
            if (dot > 0 && !name.endsWith(".*")) {
                // A method that several imports name may be any of theirs.
                boolean again = imported.containsKey(key) && tree.isStatic();
                imported.put(key, isOwn(owner) || again ? null : name);
            }
            return null;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
            ExpressionTree name = tree.getMethodSelect();
            Element element = trees.getElement(new TreePath(getCurrentPath(), name));
            if (!isArbitrary(element, tree.getArguments())) {
                site(name, element, guess(name));
            }
            return super.visitMethodInvocation(tree, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void nothing) {
            Tree name = tree.getIdentifier();
            while (!(name instanceof IdentifierTree) && !(name instanceof MemberSelectTree)) {
                if (name instanceof ParameterizedTypeTree type) {
                    name = type.getType();
                } else if (name instanceof AnnotatedTypeTree type) {
                    name = type.getUnderlyingType();
                } else {
                    return super.visitNewClass(tree, nothing);
                }
            }
            Element element = trees.getElement(getCurrentPath());
            if (tree.getClassBody() != null || !(element instanceof ExecutableElement)) {
                element = trees.getElement(TreePath.getPath(getCurrentPath(), name));
            }
            if (tree.getClassBody() != null || !isArbitrary(element, tree.getArguments())) {
                site(name, element, imported.get(name.toString()));
            }
            return super.visitNewClass(tree, nothing);
        }

        /** Whether an argument's type is in error and other methods of that name take as many arguments. */
        private boolean isArbitrary(Element element, List<? extends ExpressionTree> arguments) {
            if (!(element instanceof ExecutableElement method)
                    || !(element.getEnclosingElement() instanceof TypeElement owner)) {
                return false;
            }
            boolean inError = arguments.stream()
                    .map(argument -> trees.getTypeMirror(new TreePath(getCurrentPath(), argument)))
                    .anyMatch(type -> type == null || type.getKind() == TypeKind.ERROR);
            long others = elements.getAllMembers(owner).stream()
                    .filter(other -> other instanceof ExecutableElement && !other.equals(method))
                    .filter(other -> other.getSimpleName().equals(method.getSimpleName()))
                    .filter(other -> {
                        ExecutableElement overload = (ExecutableElement) other;
                        int count = overload.getParameters().size();
                        return count == arguments.size()
                                || overload.isVarArgs() && arguments.size() >= count - 1;
                    })
                    .count();
            return inError && others > 0;
        }

        /** What an unresolved callee must be outside the repository, by the imports alone. */
        private String guess(ExpressionTree name) {
            if (name instanceof IdentifierTree) {
                return imported.get("static " + name);
            }
            MemberSelectTree select = (MemberSelectTree) name;
            String owner = imported.get(select.getExpression().toString());
            return owner == null ? null : owner + "." + select.getIdentifier();
        }

        private boolean isOwn(String name) {
            for (String part = name; !part.isEmpty(); part = part.substring(0, Math.max(part.lastIndexOf('.'), 0))) {
                if (ownClasses.contains(part)) {
                    return true;
                }
            }
            return false;
        }

        private void site(Tree tree, Element element, String guess) {
            String name = tree instanceof MemberSelectTree select
                    ? select.getIdentifier().toString()
                    : tree.toString();
            long end = positions.getEndPosition(source.unit, tree);
            if (end < 0) {
                return;
            }
            long start = end - name.length();
            String target = target(element, guess);
            if (target != null) {
                int line = source.line(start);
                int column = source.column(start);
                String text = String.format("{\"file\":%s,\"line\":%d,\"column\":%d,\"name\":%s,%s}",
                        quote(source.file), line, column, quote(name), target);
                sites.computeIfAbsent(source.file, f -> new TreeMap<>())
                        .put(((long) line << 32) + column, text);
            }
        }

        private String target(Element element, String guess) {
            if (element == null || isErroneous(element)) {
                return guess == null ? null : "\"external\":" + quote(guess);
            }
            TypeElement owner = element instanceof TypeElement type
                    ? type
                    : (TypeElement) element.getEnclosingElement();
            if (!places.containsKey(owner)) {
                String suffix = element == owner || element.getKind() == ElementKind.CONSTRUCTOR
                        ? "" : "." + element.getSimpleName();
                return "\"external\":" + quote(owner.getQualifiedName() + suffix);
            }
            Set<String> any = new TreeSet<>();
            boolean constructs = element == owner || element.getKind() == ElementKind.CONSTRUCTOR;
            if (constructs) {
                any.add(place(places.get(owner)));
            }
            if (places.containsKey(element)) {
                any.add(place(places.get(element)));
            }
            if (element == owner) {
                for (Element member : owner.getEnclosedElements()) {
                    if (member.getKind() == ElementKind.CONSTRUCTOR && places.containsKey(member)) {
                        any.add(place(places.get(member)));
                    }
                }
            }
            return any.isEmpty() ? null : "\"targets\":[" + String.join(",", any) + "],\"kind\":"
                    + (constructs ? "\"class\"" : "\"function\"");
        }

        private boolean isErroneous(Element element) {
            return element.asType().getKind() == TypeKind.ERROR
                    || element.getKind() == ElementKind.PACKAGE
                    || !(element instanceof TypeElement) && !(element.getEnclosingElement() instanceof TypeElement);
        }
    }

    private static String place(Place place) {
        return "{\"file\":" + quote(place.file()) + ",\"line\":" + place.line() + "}";
    }

    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
