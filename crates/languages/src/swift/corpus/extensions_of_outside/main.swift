struct Track { func play() {} }
extension Array where Element == Track {
    func playAll() { forEach { $0.play() } }  // calls :Track.play
}
extension String {
    func shout() -> String { uppercased().twice() }  // calls :String.twice
    func twice() -> String { self + self }
}
extension Int { var squared: Int { self * self }; func times(_ body: () -> Void) { body() } }
extension Collection { func second() -> Element? { dropFirst().first } }
extension Optional { func orElse(_ other: Wrapped) -> Wrapped { self ?? other } }

func run(tracks: [Track], maybe: Track?) {
    tracks.playAll()  // calls :Array.playAll
    "a".shout()  // calls :String.shout
    3.times { print("x") }  // calls :Int.times
    tracks.second()?.play()  // calls :Collection.second, :Track.play
    maybe.orElse(Track()).play()  // calls :Optional.orElse, :Track, :Track.play
    maybe?.play()  // calls :Track.play
}
