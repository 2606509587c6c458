struct Reader { func read() -> Int { 1 } }
typealias Source = Reader
typealias Handler = (Reader) -> Void
typealias Pairs<T> = [(T, Reader)]
struct Holder { typealias Value = Reader; func value() -> Value { Value() } }  // calls :Reader

func take(_ handler: Handler) {}

func run(source: Source, pairs: Pairs<Int>) {
    source.read()  // calls :Reader.read
    Source().read()  // calls :Reader, :Reader.read
    take { $0.read() }  // calls :take, :Reader.read
    Holder().value().read()  // calls :Holder, :Holder.value, :Reader.read
    for (_, reader) in pairs { reader.read() }  // calls :Reader.read
    Holder.Value().read()  // calls :Reader, :Reader.read
}
