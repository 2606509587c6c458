struct Song { let title: String; func play() {}; func album() -> Album? { nil } }
struct Album { let songs: [Song]; func list() {} }

func run(albums: [Album], byName: [String: Song], set: Set<Int>) {
    albums.flatMap { $0.songs }.forEach { $0.play() }  // calls :Song.play
    albums.flatMap(\.songs).first?.play()  // calls :Song.play
    albums.map { album in album.songs[0] }.first!.play()  // calls :Song.play
    albums.filter { !$0.songs.isEmpty }[0].list()  // calls :Album.list
    byName["a"]?.play()  // calls :Song.play
    byName.values.forEach { $0.play() }  // calls :Song.play
    for (name, song) in byName { print(name); song.play() }  // calls :Song.play
    for (index, album) in albums.enumerated() { print(index); album.list() }  // calls :Album.list
    byName.mapValues { $0.album() }["x"]??.list()  // calls :Song.album, :Album.list
    byName.compactMap { $0.value.album() }.last?.list()  // calls :Song.album, :Album.list
    albums.reduce(albums[0]) { result, next in next.list(); return result }.list()  // calls :Album.list
    albums.sorted { a, b in a.songs.count < b.songs.count }.first?.list()  // calls :Album.list
    zip(albums, albums).forEach { a, b in a.list(); b.list() }  // calls :Album.list
    albums.reversed().forEach { $0.list() }  // calls :Album.list
    if let (first, rest) = pair(albums) { first.list(); rest[0].list() }  // calls :pair, :Album.list
}
func pair(_ all: [Album]) -> (Album, [Album])? { nil }
