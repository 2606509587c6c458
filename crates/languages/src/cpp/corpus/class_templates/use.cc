#include "list.hpp"
struct Song {
  void play() {}
};
void all(List<Song>& songs, List<List<Song>> albums) {
  songs.add(Song());  // calls list.hpp:List.add@14, :Song@2
  songs.at(0).play();  // calls list.hpp:List.at@6, :Song.play@3
  albums.at(1).at(2).play();  // calls list.hpp:List.at@6, :Song.play@3
}
