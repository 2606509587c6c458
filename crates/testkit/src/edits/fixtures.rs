//! Small repositories, one for each language, in which files use each other in many ways.

/// A repository with its name.
pub(super) const ALL: [(&str, &str); 9] = [
    ("typescript", TYPESCRIPT),
    ("python", PYTHON),
    ("go", GO),
    ("rust", RUST),
    ("java", JAVA),
    ("c", C),
    ("cpp", CPP),
    ("php", PHP),
    ("shell", SHELL),
];

const TYPESCRIPT: &str = r#"//- package.json
{"name": "root", "workspaces": ["packages/*"]}
//- tsconfig.json
{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["packages/lib/src/*"]}}}
//- packages/lib/package.json
{"name": "lib", "main": "src/index.ts", "exports": {".": "./src/index.ts", "./shapes": "./src/shapes.ts"}}
//- packages/lib/src/index.ts
export * from './shapes';
export { make as build, Store } from './store';
export default function start(name: string) { return make(name); }
import { make } from './store';
//- packages/lib/src/shapes.ts
export interface Shape { area(): number; name: string }
export class Square implements Shape {
  name = 'square';
  constructor(private side: number) {}
  area() { return this.side * this.side; }
  scale(by: number) { return new Square(this.side * by); }
}
export class Circle extends Square {
  area() { return super.area() * 3; }
}
export const shapes = [new Square(1), new Circle(2)];
export function largest(all: Shape[]) {
  return all.reduce((a, b) => (a.area() > b.area() ? a : b));
}
//- packages/lib/src/store.ts
import { Shape, Square } from './shapes';
export class Store<T extends Shape> {
  items: T[] = [];
  add(item: T) { this.items.push(item); return this; }
  first() { return this.items[0]; }
  each(f: (item: T) => void) { this.items.forEach((item) => f(item)); }
}
export function make(name: string) {
  const store = new Store<Square>();
  store.add(new Square(name.length));
  return store;
}
export const helper = { make, run() { return make('x').first(); } };
//- packages/app/package.json
{"name": "app", "dependencies": {"lib": "*"}}
//- packages/app/src/main.ts
import start, { build, largest, Circle } from 'lib';
import * as shapes from '@lib/shapes';
import { helper } from '@lib/store';
import { log } from './util';
export function main() {
  const store = build('abc');
  store.each((item) => log(item.area()));
  log(start('x').first().scale(2).area());
  log(largest([new Circle(1), ...shapes.shapes]).name);
  helper.run().scale(3);
}
main();
//- packages/app/src/util.js
const format = require('./format');
function log(value) { console.log(format.text(value)); }
module.exports = { log };
//- packages/app/src/format.js
exports.text = function (value) { return pad(String(value)); };
function pad(text) { return text.padStart(8); }
//- README.md
# Shapes

How to make a store of shapes and print the largest.
"#;

const PYTHON: &str = r#"//- pyproject.toml
[project]
name = "shop"
//- shop/__init__.py
from .models import *
from .services import Service as Shop
__all__ = ["Shop", "Item", "Order"]
//- shop/models.py
from dataclasses import dataclass

__all__ = ["Item", "Order"]

@dataclass
class Item:
    name: str
    price: int

    def total(self, count):
        return self.price * count


class Order:
    def __init__(self, items):
        self.items = items
        self.first = items[0]
        self.extra = Item("bag", 1)

    def total(self):
        return sum(item.total(1) for item in self.items) + self.extra.total(2)

    def lines(self):
        for item in self.items:
            yield Item(item.name, item.price)
//- shop/services.py
from shop.models import Item, Order
from . import rules


def retry(action, times=3):
    for _ in range(times):
        action()
    return action


class Base:
    def load(self):
        return Order([Item("a", 1)])

    def save(self, order):
        return order.total()


class Service(Base):
    def run(self):
        order = self.load()
        retry(self.report)
        retry(rules.check)
        return self.save(order)

    def report(self):
        helper = rules.make_rule
        return helper("x").apply(self.load())
//- shop/rules.py
class Rule:
    def __init__(self, name):
        self.name = name

    def apply(self, order):
        return order.total()

class Strict(Rule):
    def apply(self, order):
        return super().apply(order) + 1

def make_rule(name):
    rule = Strict(name)
    return rule

def check():
    return make_rule("check")

def decorate(function):
    def inner():
        return function()
    return inner
//- app.py
import shop
from shop import Shop, Item
from shop.rules import decorate, make_rule as rule

@decorate
def main():
    service = Shop()
    service.run()
    Item("b", 2).total(3)
    rule("z").apply(shop.Order([]))
    for line in service.load().lines():
        line.total(1)

if __name__ == "__main__":
    main()
//- tests/conftest.py
from shop import Shop

def service():
    return Shop()
//- tests/test_app.py
from app import main

def test_main(service):
    service.run()
    main()
//- docs/guide.md
# Guide

Retry an action three times, then report.
"#;

const GO: &str = r#"//- go.mod
module example.com/shop

go 1.22
//- main.go
package main

import (
	"fmt"

	"example.com/shop/model"
	st "example.com/shop/store"
)

type runner struct {
	*st.Store
	name string
}

func (r *runner) Run() error {
	r.Add(model.New("a"))
	for _, item := range r.All() {
		fmt.Println(item.Title(), total(item))
	}
	return nil
}

func total(p model.Priced) int { return p.Price() }

func main() {
	r := &runner{Store: st.Open(), name: "x"}
	if err := r.Run(); err != nil {
		panic(err)
	}
	func() { helper(r.name) }()
}
//- helper.go
package main

func helper(name string) string {
	f := func(s string) string { return clean(s) }
	return f(name)
}

func clean(s string) string { return s }
//- model/item.go
package model

type Priced interface {
	Price() int
}

type Titled interface {
	Priced
	Title() string
}

type Item struct {
	name string
	cost int
}

func New(name string) *Item { return &Item{name: name, cost: length(name)} }

func (i *Item) Price() int { return i.cost }

func (i *Item) Title() string { return i.name }
//- model/util.go
package model

func length(s string) int { return len(s) }

type Names = []string

type List[T any] struct{ all []T }

func (l *List[T]) Push(x T) { l.all = append(l.all, x) }
//- store/store.go
package store

import "example.com/shop/model"

type Store struct {
	items model.List[*model.Item]
	seen  map[string]*model.Item
}

func Open() *Store { return &Store{seen: map[string]*model.Item{}} }

func (s *Store) Add(i *model.Item) {
	s.items.Push(i)
	s.seen[i.Title()] = i
}

func (s *Store) All() []*model.Item {
	var out []*model.Item
	for _, i := range s.seen {
		out = append(out, i)
	}
	return out
}
//- store/store_test.go
package store

import "testing"

func TestAdd(t *testing.T) {
	s := Open()
	s.Add(nil)
	s.All()
}
"#;

const RUST: &str = r#"//- Cargo.toml
[workspace]
members = ["core", "app"]
//- core/Cargo.toml
[package]
name = "core-lib"
version = "0.1.0"

[lib]
name = "core_lib"
//- core/src/lib.rs
pub mod shape;
mod store;
pub use shape::{Shape, Square};
pub use store::*;

pub fn start() -> Store<Square> {
    Store::new().with(Square::unit())
}

#[macro_export]
macro_rules! twice {
    ($e:expr) => { $e + $e };
}
//- core/src/shape.rs
pub trait Shape {
    fn area(&self) -> u32;
    fn double(&self) -> u32 { self.area() * 2 }
}

#[derive(Clone)]
pub struct Square { pub side: u32 }

impl Square {
    pub fn unit() -> Self { Square { side: 1 } }
    pub fn grow(mut self, by: u32) -> Self { self.side += by; self }
}

impl Shape for Square {
    fn area(&self) -> u32 { power(self.side) }
}

fn power(n: u32) -> u32 { n * n }

pub enum Any { One(Square), Many(Vec<Square>) }

impl Any {
    pub fn total(&self) -> u32 {
        match self {
            Any::One(s) => s.area(),
            Any::Many(all) => all.iter().map(|s| s.area()).sum(),
        }
    }
}
//- core/src/store.rs
use crate::shape::Shape;

pub struct Store<T> { items: Vec<T> }

impl<T: Shape> Store<T> {
    pub fn new() -> Store<T> { Store { items: Vec::new() } }
    pub fn with(mut self, item: T) -> Store<T> { self.items.push(item); self }
    pub fn first(&self) -> Option<&T> { self.items.first() }
    pub fn total(&self) -> u32 {
        let sum = |all: &[T]| all.iter().map(Shape::area).sum();
        sum(&self.items)
    }
}

pub trait Named { fn name(&self) -> String; }
impl<T: Shape> Named for T { fn name(&self) -> String { label(self.area()) } }
impl Named for str { fn name(&self) -> String { self.to_owned() } }
fn label(n: u32) -> String { n.to_string() }
//- app/Cargo.toml
[package]
name = "app"
version = "0.1.0"

[dependencies]
core-lib = { path = "../core" }
//- app/src/main.rs
mod report;
use core_lib::{shape::Any, start, Named, Shape, Square};
use report::Report;

fn main() {
    let store = start();
    let first = store.first().unwrap().clone().grow(2);
    let any = Any::Many(vec![first, Square::unit()]);
    Report::new("x").line(any.total()).print();
    println!("{}", store.total() + store.first().map(|s| s.double()).unwrap_or(0));
    "text".name();
}
//- app/src/report.rs
use std::fmt;

#[derive(Default)]
pub struct Report { lines: Vec<String>, title: String }

impl Report {
    pub fn new(title: &str) -> Report { Report { title: title.into(), ..Default::default() } }
    pub fn line(mut self, n: u32) -> Self { self.lines.push(core_lib::twice!(n).to_string()); self }
    pub fn print(&self) { println!("{self}"); inner::flush(self); }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.title) }
}

mod inner {
    use super::Report;
    pub fn flush(report: &Report) { report.lines.len(); }
}
"#;

const JAVA: &str = r#"//- pom.xml
<project><groupId>com.shop</groupId><artifactId>shop</artifactId></project>
//- src/main/java/com/shop/model/Item.java
package com.shop.model;

public class Item implements Priced {
    private final String name;
    protected int cost;

    public Item(String name, int cost) { this.name = name; this.cost = cost; }
    public Item(String name) { this(name, 1); }
    public int price() { return cost; }
    public String title() { return Text.pad(name); }
    public static Item of(String name) { return new Item(name); }
}
//- src/main/java/com/shop/model/Priced.java
package com.shop.model;

public interface Priced {
    int price();
    default int twice() { return price() * 2; }
}
//- src/main/java/com/shop/model/Text.java
package com.shop.model;

class Text {
    static String pad(String text) { return pad(text, 8); }
    static String pad(String text, int width) { return text + width; }
    enum Side { LEFT, RIGHT { int sign() { return 1; } }; int sign() { return -1; } }
}
//- src/main/java/com/shop/store/Store.java
package com.shop.store;

import com.shop.model.*;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

public class Store<T extends Priced> {
    protected final List<T> items = new ArrayList<>();

    public Store<T> add(T item) { items.add(item); return this; }
    public T first() { return items.get(0); }
    public int total() { int sum = 0; for (T item : items) { sum += item.price(); } return sum; }
    public <R> R with(Function<T, R> f) { return f.apply(first()); }

    public static class Builder {
        public Store<Item> build() { return new Store<Item>().add(Item.of("x")); }
    }
}
//- src/main/java/com/shop/store/Special.java
package com.shop.store;

import com.shop.model.Item;

public class Special extends Store<Item> {
    @Override public int total() { return super.total() + bonus(); }
    private int bonus() { return first().twice(); }
    Runnable later() { return () -> { bonus(); add(new Item("late", 3)); }; }
}
//- src/main/java/com/shop/App.java
package com.shop;

import static com.shop.model.Item.of;
import com.shop.store.Special;
import com.shop.store.Store;

public class App {
    public static void main(String[] args) {
        Store.Builder builder = new Store.Builder();
        builder.build().first().title();
        Special special = new Special();
        special.add(of("y")).total();
        String s = special.with(item -> item.title());
        new Object() { void run() { special.later().run(); } }.run();
    }
}
"#;

const C: &str = r#"//- include/shop/item.h
#ifndef SHOP_ITEM_H
#define SHOP_ITEM_H
#include "../util.h"
struct item {
  const char *name;
  int (*price)(struct item *self);
  struct item *next;
};
typedef struct item item_t;
enum kind { SMALL, LARGE };
extern struct item *first_item;
item_t *item_new(const char *name);
int item_price(item_t *item);
static inline int item_twice(item_t *item) { return 2 * item_price(item); }
#endif
//- include/util.h
#ifndef UTIL_H
#define UTIL_H
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define WITH(item, code) do { use(item); code; } while (0)
void use(void *any);
int total(int start);
#endif
//- src/item.c
#include "shop/item.h"
struct item *first_item;
static int fixed(struct item *self) { return LARGER(3, self->next ? 1 : 2); }
static int free_of_charge(struct item *self) { return 0; }
static struct item gift = { "gift", free_of_charge };
item_t *item_new(const char *name) {
  static struct item made = { .price = fixed };
  made.name = name;
  made.next = first_item;
  first_item = &made;
  return LARGER(1, 2) ? &made : &gift;
}
int item_price(item_t *item) {
  return item->price(item);
}
//- src/util.c
#include "util.h"
#ifdef _WIN32
void use(void *any) { total(1); }
#else
void use(void *any) { total(2); }
#endif
static int helper(int start) {
  return start + 1;
}
int total(int start) {
  return helper(start);
}
//- src/main.c
#include "shop/item.h"
#include <stdio.h>
static int helper(int x) { return x; }
int main(void) {
  item_t *item = item_new("a");
  int (*ask)(item_t *) = item_price;
  item->next->price(item);
  WITH(item, helper(ask(item)));
  for (int i = 0; i < total(2); i++) {
    printf("%d", item_twice(item) + helper(i));
  }
  return SMALL;
}
//- test/item_test.c
#include <shop/item.h>
static int total(int start) { return start; }
static int check(struct item *item) {
  item->price = item_price;
  return item->price(item) + total(1) + undeclared(item);
}
int run_tests(void) {
  return check(item_new("b"));
}
"#;

const CPP: &str = r#"//- include/shop/item.hpp
#pragma once
#include "../macros.hpp"
#include <string>
SHOP_BEGIN_NAMESPACE
class Priced {
public:
    virtual ~Priced();
    virtual int price() const = 0;
    int twice() const { return 2 * price(); }
};
class SHOP_API Item : public Priced {
public:
    explicit Item(std::string name);
    Item(std::string name, int cost);
    int price() const override;
    const std::string& title() const;
    Item operator+(const Item& other) const;
    bool operator==(const Item& other) const { return price() == other.price(); }
    static Item free_of_charge();
private:
    std::string name;
    int cost = 0;
};
int total(const Item& item);
int total(const Item& item, int count);
SHOP_END_NAMESPACE
//- include/macros.hpp
#pragma once
#define SHOP_API
#define SHOP_BEGIN_NAMESPACE namespace shop { inline namespace v1 {
#define SHOP_END_NAMESPACE } }
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define WITH(item, code) do { total(item); code; } while (0)
//- include/shop/store.hpp
#pragma once
#include "item.hpp"
#include <memory>
#include <vector>
namespace shop {
template <typename T>
class List {
public:
    void push(const T& x);
    T& first() { return all[0]; }
    T* begin() { return &all[0]; }
    T* end() { return &all[0]; }
private:
    std::vector<T> all;
};
template <typename T>
void List<T>::push(const T& x) {
    all.push_back(x);
}
class Store {
public:
    Store& add(const Item& item);
    std::unique_ptr<Item> take();
    List<Item>& items() { return held; }
    Item* operator->() { return &held.first(); }
    explicit operator bool() const { return true; }
private:
    List<Item> held;
};
class Discount : public Item {
public:
    using Item::Item;
    int price() const override;
};
}
//- src/item.cc
#include "shop/item.hpp"
namespace shop {
Priced::~Priced() {}
Item::Item(std::string name) : Item(name, 1) {}
Item::Item(std::string name, int cost) : name(name), cost(cost) {}
int Item::price() const { return LARGER(cost, 1); }
const std::string& Item::title() const { return name; }
Item Item::operator+(const Item& other) const {
    return Item(name, price() + other.price());
}
Item Item::free_of_charge() {
    return Item("gift", 0);
}
int total(const Item& item) { return item.price(); }
int total(const Item& item, int count) {
    return total(item) * count;
}
}
//- src/store.cc
#include "shop/store.hpp"
using namespace shop;
namespace {
int helper(int x) { return x; }
}
Store& Store::add(const Item& item) {
    helper(total(item));
    held.push(item);
    return *this;
}
std::unique_ptr<Item> Store::take() {
    return std::unique_ptr<Item>(new Item("a"));
}
int Discount::price() const {
    return helper(Item::price()) / 2;
}
//- src/main.cc
#include "shop/store.hpp"
#include <cstdio>
using shop::Item;
using shop::total;
static int helper(int x) { return x; }
struct Visitor {
    int operator()(const Item& item) const { return total(item); }
};
int main() {
    shop::Store store;
    store.add(Item("a")).add(Item("b", 2));
    Item sum = Item("c") + Item("d");
    for (auto& item : store.items()) {
        helper(item.price());
    }
    if (store) {
        store->title();
    }
    Visitor visit;
    auto taken = store.take();
    WITH(*taken, helper(visit(sum)));
    shop::Discount cheap("x");
    return cheap.price() + cheap.twice() + total(sum, 2) + (sum == *taken);
}
//- test/store_test.cc
#include <shop/store.hpp>
static int total(int x) { return x; }
struct Fake : shop::Priced {
    int price() const override { return total(1); }
};
int check(shop::Store& store, Fake* fake) {
    store.items().push(shop::Item::free_of_charge());
    int n = store.items().first().price() + fake->twice();
    delete fake;
    return n;
}
"#;

const PHP: &str = r#"//- composer.json
{"autoload": {"psr-4": {"Shop\\": "src/"}, "files": ["src/functions.php"]}}
//- src/Priced.php
<?php
namespace Shop;
interface Priced {
    const FREE = 0;
    /** @return Item */
    public function item();
    public function price(): int;
}
//- src/Item.php
<?php
namespace Shop;
class Item implements Priced {
    use Named;
    protected int $cost = 1;
    private ?Item $next = null;
    public function __construct(private string $title, ?Item $next = null) {
        $this->next = $next;
    }
    public static function of(string $title): static { return new static($title); }
    public function item() { return $this; }
    public function price(): int {
        return $this->cost + total($this->next);
    }
    public function next(): ?Item { return $this->next; }
}
class Discount extends Item {
    public function price(): int {
        return parent::price() - self::FREE;
    }
}
//- src/Named.php
<?php
namespace Shop;
trait Named {
    private $label;
    public function title(): string { return helper($this->label()) . $this->price(); }
    public function label() { return $this->label ??= new Item('l'); }
}
trait Counted {
    public function title(): string { return 'counted'; }
    public static function count(): int { return 1; }
}
//- src/Store.php
<?php
namespace Shop;
use ArrayIterator;
use function Shop\helper as help;
/**
 * @template T of Priced
 * @property Item $last
 * @method Item newest()
 */
class Store implements \IteratorAggregate {
    use Named, Counted {
        Named::title insteadof Counted;
        Counted::title as plain;
    }
    /** @var Item[] */
    private array $items = [];
    public function add(Item $item): static {
        $this->items[] = $item;
        help($item);
        return $this;
    }
    /** @return T|null */
    public function first() { return reset($this->items); }
    public function getIterator(): \Iterator { return new ArrayIterator($this->items); }
    public function __call($name, $args) { return $this->items[0]->$name(); }
    public function sorted(): array {
        usort($this->items, [$this, 'compare']);
        return array_map(fn ($item) => $item->item(), $this->items);
    }
    private function compare(Item $a, Item $b): int { return $a->price() <=> $b->price(); }
}
//- src/functions.php
<?php
namespace Shop;
const LIMIT = 3;
function helper($x) { return $x; }
/** @param Item|null $item */
function total($item): int {
    if ($item instanceof Discount) {
        return $item->price();
    }
    return $item ? helper($item)->price() : LIMIT;
}
//- src/main.php
<?php
use Shop\{Discount, Item, Store};
use function Shop\total;
require_once __DIR__ . '/functions.php';
function run(Store $store) {
    $store->add(new Item('a'))->add(Item::of('b'));
    foreach ($store->sorted() as $one) {
        echo $one->title();
    }
    $made = $store->first() ?? new Discount('c');
    echo total($made), $made->price(), $store->newest()->next(), $store->last->title();
    return $store->plain() . Store::count();
}
run(new Store());
//- test/StoreTest.php
<?php
namespace Shop\Test;
use Shop\Store;
use Shop\Item as Thing;
class StoreTest extends TestCase {
    public function testAdds() {
        $store = new Store();
        $fake = new class('x') extends Thing {
            public function price(): int { return 2; }
        };
        $store->add($fake)->title();
        \Shop\total($fake->item());
        return $this->check($store->first());
    }
    private function check($x) { return $x->price(); }
"#;

const SHELL: &str = r#"//- bin/shop.sh
#!/usr/bin/env bash
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$HERE/../lib/log.sh"
source "$HERE/../lib/cart.sh"
CURRENCY=eur
usage() {
  log "usage: shop"
}
helper() {
  log "shop $CURRENCY"
}
main() {
  local action=show
  helper
  $action "$@"
  total 1 | log
}
main "$@"
"$HERE/report.sh" 3
//- bin/report.sh
#!/usr/bin/env bash
. "$(dirname "$0")/../lib/log.sh"
total() {
  log "report $1"
}
usage() { log report; }
trap 'usage; cleanup' EXIT
cleanup() { :; }
total 2
//- lib/log.sh
LEVEL=1
log() {
  [ "$LEVEL" -gt 0 ] && printf '%s\n' "$*"
  on_log
}
if [ -t 1 ]; then
  paint() { log red; }
else
  paint() { log plain; }
fi
//- lib/cart.sh
. "${BASH_SOURCE%/*}/price.sh"
show() {
  paint
  total "$1"
}
on_log() { helper; }
//- lib/price.sh
total() {
  local sum=$(price "$1")
  LEVEL=2
  quiet() {
    log() { :; }
  }
  echo "$sum"
}
price() { echo "$1"; }
alias cost='price 1'
//- test/helper.bash
common() {
  total 1
  prepare
}
//- test/shop.bats
load helper
source "$BATS_TEST_DIRNAME/../lib/cart.sh"
prepare() { READY=1; }
@test "adds prices" {
  run total 3
  common
}
@test "mocks" {
  price() { echo 2; }
  run -0 price
  missing
}
"#;
