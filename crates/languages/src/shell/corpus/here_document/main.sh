name() { echo n; }
show() { cat; }
show <<EOF # calls :show
hello $(name) # calls :name
EOF
show <<'EOF' # calls :show
hello $(name)
EOF
show <<-EOF | show # calls :show
	no call
	EOF
