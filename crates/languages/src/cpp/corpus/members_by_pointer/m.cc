struct Part {
  void turn() {}
  Part* next;
  Part** all;
};
void walk(Part* first, Part& one, Part* const* list) {
  first->next->turn();  // calls :Part.turn@2
  first->next->next->turn();  // calls :Part.turn@2
  one.all[0]->turn();  // calls :Part.turn@2
  (*list)->turn();  // calls :Part.turn@2
  (**list).turn();  // calls :Part.turn@2
  (&one)->turn();  // calls :Part.turn@2
  for (Part* at = first; at; at = at->next) {
    at->turn();  // calls :Part.turn@2
  }
}
