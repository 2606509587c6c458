class Query {
 public:
  Query& where(const char*) { return *this; }
  Query& limit(int) { return *this; }
  Query* next() { return this; }
  int run() const { return 1; }
};
int all(Query q) {
  int sum = q.where("a").limit(2).run();  // calls :Query.where@3, :Query.limit@4, :Query.run@6
  sum += q.next()->next()->limit(1).run();  // calls :Query.limit@4, :Query.next@5, :Query.run@6
  return sum + Query().where("b").run();  // calls :Query@1, :Query.where@3, :Query.run@6
}
