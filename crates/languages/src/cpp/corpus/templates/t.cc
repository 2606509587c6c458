struct Item {
  void act() {}
};

template <typename T>
class Holder {
 public:
  explicit Holder(T value) : value_(value) {}
  T& get() { return value_; }
  T* operator->() { return &value_; }
  T& operator*() { return value_; }
  T& operator[](int index) { return value_; }
  void both() {
    get();  // calls :Holder.get
    value_.act();
    outside();  // calls :Holder.outside
  }
  void outside();

 private:
  T value_;
};

template <typename T>
void Holder<T>::outside() {
  this->get();  // calls :Holder.get
}

template <typename T>
using Held = Holder<T>;

template <typename A, typename B = Item>
struct Pair {
  A first;
  B second;
  B& other() { return second; }
};

template <typename T>
T same(T value) { return value; }

template <typename T>
T* create() { return new T(); }

template <>
class Holder<void> {
 public:
  void none() {}
};

void use(Holder<Item> holder, Pair<Item> pair, Held<Item>* held) {
  holder.get().act();  // calls :Holder.get, :Item.act
  holder->act();  // calls :Item.act, :Holder.operator->
  (*holder).act();  // calls :Item.act, :Holder.operator*
  holder[0].act();  // calls :Item.act, :Holder.operator[]
  holder.both();  // calls :Holder.both
  pair.first.act();  // calls :Item.act
  pair.other().act();  // calls :Pair.other, :Item.act
  held->get().act();  // calls :Holder.get, :Item.act
  same(pair.first).act();  // calls :same, :Item.act
  create<Item>()->act();  // calls :create, :Item.act
  auto made = same<Item>(Item{});  // calls :same, :Item (missed)
  made.act();  // calls :Item.act
}
