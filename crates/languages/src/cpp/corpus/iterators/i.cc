struct Item {
  void touch() {}
};
class Items {
 public:
  class Iterator {
   public:
    explicit Iterator(Item* at) : at_(at) {}
    Item& operator*() const { return *at_; }
    Item* operator->() const { return at_; }
    Iterator& operator++() { ++at_; return *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }
   private:
    Item* at_;
  };
  Iterator begin() { return Iterator(first_); }  // calls :Items.Iterator.Iterator@8
  Iterator end() { return Iterator(last_); }  // calls :Items.Iterator.Iterator@8
 private:
  Item* first_;
  Item* last_;
};
void all(Items items) {
  for (auto& item : items) {
    item.touch();  // calls :Item.touch@2
  }
  Items::Iterator it = items.begin();  // calls :Items.begin@16
  ++it;  // calls :Items.Iterator.operator++@11
  it->touch();  // calls :Item.touch@2, :Items.Iterator.operator->@10
  (*it).touch();  // calls :Item.touch@2, :Items.Iterator.operator*@9
}
