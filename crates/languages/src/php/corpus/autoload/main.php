<?php
namespace App\Tests;
use App\Model\User;
use function App\greet;
$user = new User('Ann'); // calls src/Model/User.php:User.__construct
echo greet($user); // calls functions.php:greet
echo (new Fake())->name(); // calls tests/Fake.php:Fake, tests/Fake.php:Fake.name
