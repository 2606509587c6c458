<?php
abstract class Model
{
    public static function create(): static { return new static(); } // calls :Model
    public function save(): static { return $this; }
}
class User extends Model { public function name(): string { return 'u'; } }
class Post extends Model { public function title(): string { return 't'; } }
echo User::create()->name(); // calls :Model.create, :User.name
echo Post::create()->save()->title(); // calls :Model.create, :Model.save, :Post.title
