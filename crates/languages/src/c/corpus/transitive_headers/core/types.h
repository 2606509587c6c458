struct node { struct node *next; };
