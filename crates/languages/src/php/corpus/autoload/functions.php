<?php
namespace App;
use App\Model\User;
function greet(User $u): string { return $u->name(); } // calls src/Model/User.php:User.name
