<?php
function from_a(): string { return 'a'; }
