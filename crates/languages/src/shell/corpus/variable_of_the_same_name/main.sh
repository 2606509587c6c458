count=3
count() { echo "$count"; }
count # calls :count
echo "$count"
count=4
