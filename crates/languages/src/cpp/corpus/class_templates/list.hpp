template <typename T>
class List {
 public:
  List() : size_(0) {}
  void add(const T& x);
  T& at(int n) { return items_[n]; }
  int size() const { return size_; }
 private:
  void grow();
  T* items_;
  int size_;
};
template <typename T>
void List<T>::add(const T& x) {
  grow();  // calls :List.grow@19
  at(size()) = x;  // calls :List.at@6, :List.size@7
}
template <typename T>
void List<T>::grow() {
  size_ = size_ + 1;
}
