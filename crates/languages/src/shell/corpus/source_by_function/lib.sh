helper() { echo helper; }
