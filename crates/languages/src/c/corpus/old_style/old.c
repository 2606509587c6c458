struct list { int (*size)(void); };

int count(list, more)
    struct list *list;
    int more;
{
    return list->size() + more; // calls :list.size
}

first()
{
    return count(0, 1); // calls :count
}

int second()
{
    return first(); // calls :first (missed)
}
