name() { echo n; }
show() { cat; }
show <<< "$(name)" # calls :show, :name
