//! The Java platform as a table: classes, their supertypes, functional interfaces, common methods.
//!
//! No copy of the platform: it holds what carries a type of the repository from one expression to
//! the next (elements of collections, streams, optionals) and what tells overloads apart.

/// Classes by package.
pub(super) const CLASSES: &[(&str, &str)] = &[
    (
        "java.lang",
        "Object String CharSequence StringBuilder StringBuffer Number Integer Long Short Byte Double \
         Float Character Boolean Void Math StrictMath Class ClassLoader Comparable Iterable Runnable \
         Cloneable AutoCloseable Appendable Readable Enum Record Thread ThreadLocal ThreadGroup \
         InheritableThreadLocal Throwable Exception RuntimeException Error System Runtime Process \
         ProcessBuilder Package Module ModuleLayer StackTraceElement StackWalker SecurityManager \
         ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException ClassCastException \
         ClassNotFoundException CloneNotSupportedException IllegalAccessException \
         IllegalArgumentException IllegalMonitorStateException IllegalStateException \
         IllegalThreadStateException IndexOutOfBoundsException InstantiationException \
         InterruptedException NegativeArraySizeException NoSuchFieldException NoSuchMethodException \
         NullPointerException NumberFormatException ReflectiveOperationException SecurityException \
         StringIndexOutOfBoundsException TypeNotPresentException UnsupportedOperationException \
         AbstractMethodError AssertionError BootstrapMethodError ClassCircularityError \
         ClassFormatError EnumConstantNotPresentException ExceptionInInitializerError \
         IllegalAccessError IncompatibleClassChangeError InstantiationError InternalError \
         LinkageError NoClassDefFoundError NoSuchFieldError NoSuchMethodError OutOfMemoryError \
         StackOverflowError ThreadDeath UnknownError UnsatisfiedLinkError \
         UnsupportedClassVersionError VerifyError VirtualMachineError ClassValue \
         Deprecated Override SafeVarargs SuppressWarnings FunctionalInterface MatchException \
         LayerInstantiationException WrongThreadException ScopedValue ProcessHandle \
         RuntimePermission StringTemplate",
    ),
    (
        "java.util",
        "Collection List Set Map Queue Deque SortedSet NavigableSet SortedMap NavigableMap ArrayList \
         LinkedList HashSet LinkedHashSet TreeSet HashMap LinkedHashMap TreeMap WeakHashMap \
         IdentityHashMap EnumMap EnumSet ArrayDeque PriorityQueue Vector Stack Hashtable Properties \
         Iterator ListIterator Enumeration Optional OptionalInt OptionalLong OptionalDouble Arrays \
         Collections Objects Comparator Date Calendar GregorianCalendar TimeZone Locale UUID Random \
         Scanner StringTokenizer StringJoiner BitSet Currency Timer TimerTask Base64 ResourceBundle \
         AbstractMap AbstractList AbstractSet AbstractCollection AbstractQueue AbstractSequentialList \
         NoSuchElementException ConcurrentModificationException InputMismatchException \
         MissingResourceException EmptyStackException EventObject EventListener Formatter \
         RandomAccess ServiceLoader Spliterator Spliterators Observable Observer SimpleTimeZone",
    ),
    (
        "java.util.function",
        "Function BiFunction Supplier Consumer BiConsumer Predicate BiPredicate UnaryOperator \
         BinaryOperator IntFunction LongFunction DoubleFunction ToIntFunction ToLongFunction \
         ToDoubleFunction ToIntBiFunction IntPredicate IntConsumer IntSupplier IntUnaryOperator \
         IntBinaryOperator BooleanSupplier LongSupplier DoubleSupplier IntToLongFunction \
         LongPredicate LongConsumer LongUnaryOperator ObjIntConsumer",
    ),
    (
        "java.util.stream",
        "Stream IntStream LongStream DoubleStream Collectors Collector StreamSupport BaseStream",
    ),
    (
        "java.util.concurrent",
        "Callable Future CompletableFuture CompletionStage Executor ExecutorService Executors \
         ScheduledExecutorService ConcurrentHashMap ConcurrentMap CopyOnWriteArrayList \
         CopyOnWriteArraySet ConcurrentLinkedQueue ConcurrentLinkedDeque BlockingQueue \
         LinkedBlockingQueue ArrayBlockingQueue CountDownLatch TimeUnit ThreadFactory \
         ConcurrentSkipListMap ConcurrentNavigableMap ExecutionException TimeoutException",
    ),
    (
        "java.util.concurrent.atomic",
        "AtomicReference AtomicInteger AtomicLong AtomicBoolean",
    ),
    (
        "java.io",
        "InputStream OutputStream Reader Writer File IOException Serializable Closeable Flushable \
         BufferedReader BufferedWriter InputStreamReader OutputStreamWriter StringReader StringWriter \
         PrintStream PrintWriter ByteArrayInputStream ByteArrayOutputStream FileInputStream \
         FileOutputStream FileReader FileWriter ObjectInputStream ObjectOutputStream EOFException \
         FileNotFoundException UncheckedIOException DataInputStream DataOutputStream",
    ),
    (
        "java.lang.reflect",
        "Method Field Constructor Type Member Parameter ParameterizedType GenericArrayType \
         TypeVariable WildcardType Modifier Array Proxy InvocationHandler AnnotatedElement \
         GenericDeclaration Executable AccessibleObject InvocationTargetException",
    ),
    ("java.lang.annotation", "Annotation"),
    (
        "java.math",
        "BigInteger BigDecimal MathContext RoundingMode",
    ),
    (
        "java.net",
        "URI URL URLConnection HttpURLConnection URLClassLoader InetAddress InetSocketAddress \
         SocketAddress Socket ServerSocket URLEncoder URLDecoder",
    ),
    (
        "java.nio",
        "Buffer ByteBuffer CharBuffer IntBuffer LongBuffer",
    ),
    ("java.nio.charset", "Charset StandardCharsets"),
    (
        "java.nio.file",
        "Path Paths Files FileSystem OpenOption StandardOpenOption",
    ),
    (
        "java.sql",
        "Connection Statement PreparedStatement CallableStatement ResultSet ResultSetMetaData \
         SQLException Types Blob Clob",
    ),
    (
        "java.security",
        "Principal Key PublicKey PrivateKey MessageDigest",
    ),
    (
        "java.text",
        "DateFormat SimpleDateFormat NumberFormat DecimalFormat MessageFormat",
    ),
    (
        "java.time",
        "Duration Instant LocalDate LocalDateTime LocalTime ZonedDateTime OffsetDateTime OffsetTime \
         Period Year YearMonth MonthDay ZoneId ZoneOffset Clock DayOfWeek Month",
    ),
    (
        "java.lang.ref",
        "WeakReference SoftReference PhantomReference Reference ReferenceQueue",
    ),
];

/// `child: parents`, all with the same type arguments.
pub(super) const PARENTS: &str = "
Collection: Iterable
List: Collection
Set: Collection
Queue: Collection
Deque: Queue
SortedSet: Set
NavigableSet: SortedSet
SortedMap: Map
NavigableMap: SortedMap
AbstractCollection: Collection
AbstractList: AbstractCollection List
AbstractSet: AbstractCollection Set
AbstractQueue: AbstractCollection Queue
AbstractSequentialList: AbstractList
AbstractMap: Map
ArrayList: AbstractList RandomAccess
LinkedList: AbstractSequentialList Deque
Vector: AbstractList RandomAccess
Stack: Vector
HashSet: AbstractSet
LinkedHashSet: HashSet
TreeSet: AbstractSet NavigableSet
EnumSet: AbstractSet
ArrayDeque: AbstractCollection Deque
PriorityQueue: AbstractQueue
CopyOnWriteArrayList: List RandomAccess
CopyOnWriteArraySet: AbstractSet
ConcurrentLinkedQueue: AbstractQueue
ConcurrentLinkedDeque: AbstractCollection Deque
BlockingQueue: Queue
LinkedBlockingQueue: AbstractQueue BlockingQueue
ArrayBlockingQueue: AbstractQueue BlockingQueue
HashMap: AbstractMap
LinkedHashMap: HashMap
TreeMap: AbstractMap NavigableMap
WeakHashMap: AbstractMap
IdentityHashMap: AbstractMap
EnumMap: AbstractMap
Hashtable: Map
ConcurrentMap: Map
ConcurrentHashMap: AbstractMap ConcurrentMap
ConcurrentNavigableMap: ConcurrentMap NavigableMap
ConcurrentSkipListMap: AbstractMap ConcurrentNavigableMap
ListIterator: Iterator
UnaryOperator: Function
BinaryOperator: BiFunction
CompletableFuture: Future CompletionStage
ExecutorService: Executor AutoCloseable
ScheduledExecutorService: ExecutorService
String: CharSequence Comparable Serializable
StringBuilder: CharSequence Appendable Comparable Serializable
StringBuffer: CharSequence Appendable Comparable Serializable
Integer: Number Comparable
Long: Number Comparable
Short: Number Comparable
Byte: Number Comparable
Double: Number Comparable
Float: Number Comparable
Number: Serializable
Character: Comparable Serializable
Boolean: Comparable Serializable
Enum: Comparable Serializable
Thread: Runnable
Exception: Throwable
Error: Throwable
Throwable: Serializable
RuntimeException: Exception
IOException: Exception
EOFException: IOException
FileNotFoundException: IOException
UncheckedIOException: RuntimeException
IllegalArgumentException: RuntimeException
IllegalStateException: RuntimeException
NullPointerException: RuntimeException
ClassCastException: RuntimeException
IndexOutOfBoundsException: RuntimeException
UnsupportedOperationException: RuntimeException
NumberFormatException: IllegalArgumentException
ArithmeticException: RuntimeException
SecurityException: RuntimeException
NoSuchElementException: RuntimeException
ReflectiveOperationException: Exception
ClassNotFoundException: ReflectiveOperationException
NoSuchMethodException: ReflectiveOperationException
NoSuchFieldException: ReflectiveOperationException
IllegalAccessException: ReflectiveOperationException
InstantiationException: ReflectiveOperationException
InvocationTargetException: ReflectiveOperationException
InterruptedException: Exception
ExecutionException: Exception
TimeoutException: Exception
LinkageError: Error
NoClassDefFoundError: LinkageError
AssertionError: Error
OutOfMemoryError: Error
Closeable: AutoCloseable
InputStream: Closeable
OutputStream: Closeable Flushable
Reader: Closeable Readable
Writer: Closeable Flushable Appendable
BufferedReader: Reader
InputStreamReader: Reader
FileReader: InputStreamReader
StringReader: Reader
BufferedWriter: Writer
OutputStreamWriter: Writer
FileWriter: OutputStreamWriter
StringWriter: Writer
PrintWriter: Writer
PrintStream: OutputStream
ByteArrayInputStream: InputStream
FileInputStream: InputStream
ObjectInputStream: InputStream
DataInputStream: InputStream
ByteArrayOutputStream: OutputStream
FileOutputStream: OutputStream
ObjectOutputStream: OutputStream
DataOutputStream: OutputStream
File: Comparable Serializable
Class: Type GenericDeclaration AnnotatedElement Serializable
ParameterizedType: Type
GenericArrayType: Type
TypeVariable: Type AnnotatedElement
WildcardType: Type
GenericDeclaration: AnnotatedElement
AccessibleObject: AnnotatedElement
Executable: AccessibleObject Member GenericDeclaration
Method: Executable
Constructor: Executable
Field: AccessibleObject Member
Parameter: AnnotatedElement
Locale: Cloneable Serializable
UUID: Comparable Serializable
BigInteger: Number Comparable
BigDecimal: Number Comparable
URI: Comparable Serializable
URL: Serializable
HttpURLConnection: URLConnection
URLClassLoader: ClassLoader
InetSocketAddress: SocketAddress
ByteBuffer: Buffer Comparable
CharBuffer: Buffer Comparable CharSequence Appendable
Charset: Comparable
Path: Comparable Iterable
PreparedStatement: Statement
CallableStatement: PreparedStatement
Statement: AutoCloseable
Connection: AutoCloseable
ResultSet: AutoCloseable
SQLException: Exception
PublicKey: Key
PrivateKey: Key
Duration: Comparable Serializable
Instant: Comparable Serializable
LocalDate: Comparable Serializable
LocalDateTime: Comparable Serializable
LocalTime: Comparable Serializable
ZonedDateTime: Comparable Serializable
OffsetDateTime: Comparable Serializable
ZoneOffset: ZoneId Comparable
SimpleDateFormat: DateFormat
DecimalFormat: NumberFormat
Date: Comparable Serializable Cloneable
GregorianCalendar: Calendar
Calendar: Comparable Serializable Cloneable
AtomicInteger: Number
AtomicLong: Number
WeakReference: Reference
SoftReference: Reference
IntStream: BaseStream
Stream: BaseStream
Properties: Hashtable
";

/// Functional interfaces: `Name p0,p1 result`; digits are type arguments.
pub(super) const SHAPES: &str = "
Function 0 1
BiFunction 0,1 2
Supplier - 0
Consumer 0 void
BiConsumer 0,1 void
Predicate 0 boolean
BiPredicate 0,1 boolean
UnaryOperator 0 0
BinaryOperator 0,0 0
IntFunction int 0
LongFunction long 0
DoubleFunction double 0
ToIntFunction 0 int
ToLongFunction 0 long
ToDoubleFunction 0 double
ToIntBiFunction 0,1 int
IntPredicate int boolean
LongPredicate long boolean
IntConsumer int void
LongConsumer long void
ObjIntConsumer 0,int void
IntSupplier - int
LongSupplier - long
DoubleSupplier - double
BooleanSupplier - boolean
IntUnaryOperator int int
LongUnaryOperator long long
IntBinaryOperator int,int int
IntToLongFunction int long
Runnable - void
Callable - 0
Comparator 0,0 int
Comparable 0 int
Iterable - Iterator<0>
AutoCloseable - void
Closeable - void
ThreadFactory Runnable Thread
Executor Runnable void
InvocationHandler Object,Method,Object[] Object
";

/// Methods: `Class.name result [position:p0,p1 …]`. In results, a digit is a type argument of the
/// receiver, `Rn` what the function at argument n gives, `An` the type of argument n, `this` the
/// receiver's type; after a position, the types of the parameters of the function there.
pub(super) const METHODS: &str = "
Iterable.iterator Iterator<0>
Iterable.forEach void 0:0
Iterable.spliterator Spliterator<0>
Iterator.next 0
Iterator.hasNext boolean
Iterator.forEachRemaining void 0:0
ListIterator.previous 0
Enumeration.nextElement 0
Enumeration.asIterator Iterator<0>
Collection.stream Stream<0>
Collection.parallelStream Stream<0>
Collection.removeIf boolean 0:0
Collection.size int
Collection.isEmpty boolean
Collection.contains boolean
Collection.add boolean
Collection.remove boolean
Collection.toArray A0
List.get 0
List.set 0
List.remove 0
List.subList List<0>
List.listIterator ListIterator<0>
List.getFirst 0
List.getLast 0
List.removeFirst 0
List.removeLast 0
List.reversed List<0>
List.replaceAll void 0:0
List.sort void 0:0,0
List.of List<A0>
List.copyOf A0
Set.of Set<A0>
Set.copyOf A0
Vector.elementAt 0
Vector.firstElement 0
Vector.lastElement 0
Stack.peek 0
Stack.pop 0
Stack.push 0
Queue.peek 0
Queue.poll 0
Queue.remove 0
Queue.element 0
Deque.pop 0
Deque.peekFirst 0
Deque.peekLast 0
Deque.pollFirst 0
Deque.pollLast 0
Deque.getFirst 0
Deque.getLast 0
Deque.removeFirst 0
Deque.removeLast 0
Deque.descendingIterator Iterator<0>
BlockingQueue.take 0
SortedSet.first 0
SortedSet.last 0
NavigableSet.floor 0
NavigableSet.ceiling 0
NavigableSet.pollFirst 0
Map.get 1
Map.put 1
Map.remove 1
Map.getOrDefault 1
Map.putIfAbsent 1
Map.replace 1
Map.computeIfAbsent 1 1:0
Map.computeIfPresent 1 1:0,1
Map.compute 1 1:0,1
Map.merge 1 2:1,1
Map.forEach void 0:0,1
Map.replaceAll void 0:0,1
Map.keySet Set<0>
Map.values Collection<1>
Map.entrySet Set<Map.Entry<0,1>>
Map.containsKey boolean
Map.containsValue boolean
Map.size int
Map.isEmpty boolean
Map.entry Map.Entry<A0,A1>
Map.of Map<A0,A1>
Map.copyOf A0
Hashtable.elements Enumeration<1>
Hashtable.keys Enumeration<0>
ConcurrentHashMap.keySet Set<0>
SortedMap.firstKey 0
SortedMap.lastKey 0
NavigableMap.firstEntry Map.Entry<0,1>
NavigableMap.lastEntry Map.Entry<0,1>
NavigableMap.floorEntry Map.Entry<0,1>
NavigableMap.ceilingEntry Map.Entry<0,1>
Map.Entry.getKey 0
Map.Entry.getValue 1
Map.Entry.setValue 1
Optional.get 0
Optional.orElse 0
Optional.orElseGet 0
Optional.orElseThrow 0
Optional.map Optional<R0> 0:0
Optional.flatMap R0 0:0
Optional.filter Optional<0> 0:0
Optional.or Optional<0>
Optional.ifPresent void 0:0
Optional.ifPresentOrElse void 0:0
Optional.stream Stream<0>
Optional.isPresent boolean
Optional.isEmpty boolean
Optional.of Optional<A0>
Optional.ofNullable Optional<A0>
Stream.filter Stream<0> 0:0
Stream.map Stream<R0> 0:0
Stream.flatMap R0 0:0
Stream.mapToInt IntStream 0:0
Stream.mapToLong LongStream 0:0
Stream.mapToDouble DoubleStream 0:0
Stream.mapToObj Stream<R0> 0:int
Stream.peek Stream<0> 0:0
Stream.sorted Stream<0> 0:0,0
Stream.distinct Stream<0>
Stream.limit Stream<0>
Stream.skip Stream<0>
Stream.parallel Stream<0>
Stream.sequential Stream<0>
Stream.unordered Stream<0>
Stream.onClose Stream<0>
Stream.takeWhile Stream<0> 0:0
Stream.dropWhile Stream<0> 0:0
Stream.forEach void 0:0
Stream.forEachOrdered void 0:0
Stream.anyMatch boolean 0:0
Stream.allMatch boolean 0:0
Stream.noneMatch boolean 0:0
Stream.findFirst Optional<0>
Stream.findAny Optional<0>
Stream.min Optional<0> 0:0,0
Stream.max Optional<0> 0:0,0
Stream.count long
Stream.toList List<0>
Stream.iterator Iterator<0>
Stream.collect C0
Stream.reduce Optional<0> 0:0,0
Stream.of Stream<A0>
Stream.concat A0
Stream.generate Stream<R0>
IntStream.mapToObj Stream<R0> 0:int
IntStream.forEach void 0:int
IntStream.range IntStream
IntStream.rangeClosed IntStream
IntStream.of IntStream
IntStream.filter IntStream 0:int
IntStream.map IntStream 0:int
IntStream.sum int
IntStream.boxed Stream<Integer>
IntStream.toArray int[]
StreamSupport.stream Stream<0>
Arrays.asList List<A0>
Arrays.stream Stream<E0>
Arrays.copyOf A0
Arrays.copyOfRange A0
Arrays.sort void 1:E0,E0
Arrays.equals boolean
Arrays.hashCode int
Arrays.toString String
Collections.unmodifiableList A0
Collections.unmodifiableSet A0
Collections.unmodifiableMap A0
Collections.unmodifiableCollection A0
Collections.synchronizedList A0
Collections.synchronizedSet A0
Collections.synchronizedMap A0
Collections.singletonList List<A0>
Collections.singleton Set<A0>
Collections.singletonMap Map<A0,A1>
Collections.sort void 1:E0,E0
Collections.max E0
Collections.min E0
Collections.enumeration Enumeration<E0>
Collections.list List<0>
Objects.requireNonNull A0
Objects.requireNonNullElse A0
Objects.requireNonNullElseGet A0
Objects.equals boolean
Objects.hash int
Objects.hashCode int
Objects.toString String
Objects.isNull boolean
Objects.nonNull boolean
Supplier.get 0
Function.apply 1
BiFunction.apply 2
UnaryOperator.apply 0
BinaryOperator.apply 0
IntFunction.apply 0
Predicate.test boolean
BiPredicate.test boolean
BooleanSupplier.getAsBoolean boolean
IntSupplier.getAsInt int
Comparator.compare int
Comparator.reversed Comparator<0>
Comparator.thenComparing Comparator<0> 0:0
Callable.call 0
Future.get 0
Future.isDone boolean
CompletableFuture.join 0
CompletableFuture.thenApply CompletableFuture<R0> 0:0
CompletableFuture.thenCompose R0 0:0
CompletableFuture.thenAccept CompletableFuture<Void> 0:0
CompletableFuture.whenComplete CompletableFuture<0> 0:0,Throwable
CompletableFuture.handle CompletableFuture<R0> 0:0,Throwable
CompletableFuture.exceptionally CompletableFuture<0> 0:Throwable
CompletableFuture.completedFuture CompletableFuture<A0>
CompletableFuture.supplyAsync CompletableFuture<R0>
ExecutorService.submit Future<R0>
AtomicReference.get 0
AtomicReference.getAndSet 0
AtomicReference.updateAndGet 0 0:0
AtomicReference.getAndUpdate 0 0:0
AtomicInteger.get int
AtomicInteger.incrementAndGet int
AtomicInteger.getAndIncrement int
AtomicLong.get long
AtomicBoolean.get boolean
ThreadLocal.get 0
ThreadLocal.withInitial ThreadLocal<R0>
Reference.get 0
ServiceLoader.load ServiceLoader<0>
Class.cast 0
Class.newInstance 0
Class.getName String
Class.getSimpleName String
Class.getTypeName String
Class.getPackageName String
Class.isInstance boolean
Class.isAssignableFrom boolean
Class.isInterface boolean
Class.isEnum boolean
Class.isArray boolean
Class.isPrimitive boolean
Class.getModifiers int
Class.getDeclaredConstructor Constructor<0>
Class.getConstructor Constructor<0>
Class.getEnumConstants 0[]
Class.getAnnotation T0
Class.getDeclaredAnnotation T0
Class.getMethod Method
Class.getDeclaredMethod Method
Class.getMethods Method[]
Class.getDeclaredMethods Method[]
Class.getField Field
Class.getDeclaredField Field
Class.getFields Field[]
Class.getDeclaredFields Field[]
Class.getDeclaredConstructors Constructor[]
Class.getConstructors Constructor[]
Class.getClassLoader ClassLoader
Class.getSuperclass Class
Class.getGenericSuperclass Type
Class.getInterfaces Class[]
Class.getComponentType Class
Class.getEnclosingClass Class
Class.getDeclaringClass Class
Class.getAnnotations Annotation[]
Class.forName Class
Constructor.newInstance 0
Constructor.getParameterTypes Class[]
Constructor.getDeclaringClass Class<0>
AnnotatedElement.getAnnotation T0
AnnotatedElement.isAnnotationPresent boolean
Method.invoke Object
Method.getName String
Method.getReturnType Class
Method.getGenericReturnType Type
Method.getParameterTypes Class[]
Method.getDeclaringClass Class
Method.getParameterCount int
Method.getModifiers int
Method.getParameters Parameter[]
Executable.getParameterCount int
Executable.getParameters Parameter[]
Field.get Object
Field.getType Class
Field.getName String
Field.getGenericType Type
Field.getDeclaringClass Class
Field.getModifiers int
Member.getName String
Member.getDeclaringClass Class
Object.getClass Class<this>
Object.toString String
Object.hashCode int
Object.equals boolean
Enum.name String
Enum.ordinal int
Enum.getDeclaringClass Class<this>
Enum.compareTo int
Record.toString String
String.length int
String.charAt char
String.isEmpty boolean
String.isBlank boolean
String.equals boolean
String.equalsIgnoreCase boolean
String.startsWith boolean
String.endsWith boolean
String.contains boolean
String.matches boolean
String.indexOf int
String.lastIndexOf int
String.compareTo int
String.substring String
String.trim String
String.strip String
String.toLowerCase String
String.toUpperCase String
String.replace String
String.replaceAll String
String.replaceFirst String
String.concat String
String.repeat String
String.intern String
String.formatted String
String.format String
String.valueOf String
String.join String
String.split String[]
String.toCharArray char[]
String.getBytes byte[]
String.lines Stream<String>
CharSequence.length int
CharSequence.charAt char
CharSequence.toString String
StringBuilder.append StringBuilder
StringBuilder.insert StringBuilder
StringBuilder.reverse StringBuilder
StringBuilder.deleteCharAt StringBuilder
StringBuilder.delete StringBuilder
StringBuilder.toString String
StringBuilder.length int
StringBuilder.charAt char
StringBuffer.append StringBuffer
StringBuffer.toString String
Integer.parseInt int
Integer.valueOf Integer
Integer.toString String
Integer.intValue int
Integer.compare int
Long.parseLong long
Long.valueOf Long
Long.longValue long
Long.toString String
Double.parseDouble double
Double.valueOf Double
Boolean.parseBoolean boolean
Boolean.valueOf Boolean
Boolean.booleanValue boolean
Number.intValue int
Number.longValue long
Number.doubleValue double
Number.floatValue float
Character.isDigit boolean
Character.toUpperCase char
Character.toLowerCase char
Math.max A0
Math.min A0
Math.abs A0
System.currentTimeMillis long
System.nanoTime long
System.getProperty String
System.getenv String
System.identityHashCode int
System.lineSeparator String
Thread.currentThread Thread
Thread.getContextClassLoader ClassLoader
Throwable.getMessage String
Throwable.getCause Throwable
Throwable.getStackTrace StackTraceElement[]
InputStream.read int
OutputStream.write void
OutputStream.flush void
OutputStream.close void
Writer.write void
Reader.read int
BufferedReader.readLine String
BufferedReader.lines Stream<String>
ByteArrayOutputStream.toByteArray byte[]
ByteArrayOutputStream.toString String
StringWriter.toString String
File.getName String
File.getPath String
File.exists boolean
Locale.getLanguage String
UUID.randomUUID UUID
UUID.toString String
ParameterizedType.getRawType Type
ParameterizedType.getOwnerType Type
ParameterizedType.getActualTypeArguments Type[]
GenericArrayType.getGenericComponentType Type
WildcardType.getUpperBounds Type[]
WildcardType.getLowerBounds Type[]
TypeVariable.getBounds Type[]
TypeVariable.getName String
Type.getTypeName String
Class.getResource URL
Class.getResourceAsStream InputStream
ClassLoader.getResource URL
ClassLoader.getResourceAsStream InputStream
URL.toURI URI
URL.getPath String
URI.create URI
URI.getPath String
URI.resolve URI
URI.toURL URL
Path.of Path
Paths.get Path
Path.resolve Path
Path.toFile File
Path.toUri URI
File.toPath Path
File.toURI URI
File.getParentFile File
File.getAbsolutePath String
Files.newInputStream InputStream
Files.createTempFile Path
Files.readString String
BigDecimal.valueOf BigDecimal
BigInteger.valueOf BigInteger
Duration.ofMillis Duration
Duration.ofSeconds Duration
Duration.ofMinutes Duration
Duration.toMillis long
Instant.now Instant
Instant.ofEpochMilli Instant
Instant.toEpochMilli long
Charset.forName Charset
Charset.name String
Locale.getDefault Locale
Locale.forLanguageTag Locale
ByteBuffer.wrap ByteBuffer
ByteBuffer.allocate ByteBuffer
";
