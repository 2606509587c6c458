helper 2>/dev/null
echo end
