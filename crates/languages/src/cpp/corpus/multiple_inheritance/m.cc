struct Reader {
  int read() { return 1; }
  void close() {}
};
struct Writer {
  void write(int) {}
  void close() {}
};
struct File : Reader, Writer {
  void copy() { write(read()); }  // calls :Reader.read@2, :Writer.write@6
  void finish() {
    Reader::close();  // calls :Reader.close@3
    Writer::close();  // calls :Writer.close@7
  }
};
void all(File f) {
  f.copy();  // calls :File.copy@10
  f.write(f.read());  // calls :Reader.read@2, :Writer.write@6
  f.finish();  // calls :File.finish@11
}
