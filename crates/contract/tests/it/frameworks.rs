//! Routes and requests of each framework.

use crate::fixture::endpoints;

fn check(text: &str, expected: &[&str]) {
    let mut found = endpoints(text);
    found.sort();
    let mut expected: Vec<String> = expected.iter().map(|e| (*e).to_owned()).collect();
    expected.sort();
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn express() {
    check(
        r#"//- app.ts
import express from 'express';
import users from './users';
const app = express();
app.use('/api/users', users);
app.get('/health', (req, res) => res.send('ok'));
app.route('/books').get(listBooks).post(auth, createBook);
app
  .route('/books/:id')
  .delete((req, res) => res.end());
function listBooks(req, res) {}
function createBook(req, res) {}
//- users.ts
import { Router } from 'express';
import * as handlers from './handlers';
const router = Router();
router.get('/', handlers.all);
router.get('/:id', auth, handlers.one);
export default router;
//- handlers.ts
export function all(req, res) {}
export async function one(req, res) {}
"#,
        &[
            "<- GET /health  app.ts  express",
            "<- GET /books  listBooks  express",
            "<- POST /books  createBook  express",
            "<- DELETE /books/:id  app.ts  express",
            "<- GET /api/users  all  express",
            "<- GET /api/users/:id  one  express",
        ],
    );
}

#[test]
fn fastify_nest_and_next() {
    check(
        r#"//- server.ts
import fastify from 'fastify';
const server = fastify();
server.get('/ping', async () => 'pong');
server.route({ method: 'POST', url: '/orders', handler: createOrder });
async function createOrder(req) {}
//- cats.controller.ts
import { Controller, Get, Post } from '@nestjs/common';
@Controller('cats')
export class CatsController {
  @Get(':id')
  findOne(id: string) {}
  @Post()
  create() {}
}
//- src/app/api/users/[id]/route.ts
export async function GET(request: Request) {}
export const DELETE = async () => {};
function POST() {}
"#,
        &[
            "<- GET /ping  server.ts  fastify",
            "<- POST /orders  createOrder  fastify",
            "<- GET /cats/:id  CatsController.findOne  nestjs",
            "<- POST /cats  CatsController.create  nestjs",
            "<- GET /api/users/[id]  GET  next.js",
            "<- DELETE /api/users/[id]  DELETE  next.js",
        ],
    );
}

#[test]
fn fastapi_flask_and_django() {
    check(
        r#"//- app/main.py
from fastapi import FastAPI
from app.config import settings
from app.routes import items
app = FastAPI()
app.include_router(items.router, prefix=settings.API_PREFIX)
//- app/config.py
class Settings:
    API_PREFIX: str = "/api/v1"
settings = Settings()
//- app/routes/items.py
from fastapi import APIRouter
router = APIRouter(prefix="/items", tags=["items"])
@router.get("/{id}")
def read_item(id: int):
    pass
@router.post("/", response_model=None)
async def create_item():
    pass
//- flask_app.py
from flask import Flask, Blueprint
app = Flask(__name__)
bp = Blueprint("users", __name__, url_prefix="/users")
@bp.route("/<int:id>", methods=["GET", "PUT"])
def user(id):
    pass
app.register_blueprint(bp)
//- site/urls.py
from django.urls import path, include
from . import views
urlpatterns = [
    path("articles/<int:year>/", views.year_archive),
    path("api/", include("other.urls")),
]
//- site/views.py
def year_archive(request, year):
    pass
"#,
        &[
            "<- GET /api/v1/items/{id}  read_item  fastapi",
            "<- POST /api/v1/items  create_item  fastapi",
            "<- GET /users/<int:id>  user  flask",
            "<- PUT /users/<int:id>  user  flask",
            "<- ANY /articles/<int:year>/  year_archive  django",
        ],
    );
}

#[test]
fn spring_and_jax_rs() {
    check(
        r#"//- UserController.java
@RestController
@RequestMapping("/api/users")
public class UserController {
    @GetMapping("/{id}")
    public User get(@PathVariable String id) { return null; }
    @PostMapping
    public User create(@RequestBody User user) { return null; }
}
//- Hello.java
@Path("/hello")
public class Hello {
    @GET
    public String hello() { return "x"; }
}
//- UserClient.java
@FeignClient(name = "users")
interface UserClient {
    @GetMapping("/api/users/{id}")
    User getUser(@PathVariable String id);
}
"#,
        &[
            "<- GET /api/users/{id}  UserController.get  spring",
            "<- POST /api/users  UserController.create  spring",
            "<- GET /hello  Hello.hello  jax-rs",
            "-> GET users/api/users/{id}  UserClient.getUser  spring",
        ],
    );
}

#[test]
fn gin_echo_chi_gorilla_and_net_http() {
    check(
        r#"//- gin.go
package main
import "github.com/gin-gonic/gin"
func main() {
	r := gin.Default()
	v1 := r.Group("/v1")
	v1.GET("/users/:id", getUser)
	r.POST("/login", login)
}
func getUser(c *gin.Context) {}
func login(c *gin.Context) {}
//- chi/chi.go
package chi
import "github.com/go-chi/chi/v5"
func Routes() {
	r := chi.NewRouter()
	r.Route("/articles", func(r chi.Router) {
		r.Get("/", listArticles)
		r.Route("/{id}", func(r chi.Router) {
			r.Delete("/", deleteArticle)
		})
	})
	r.Get("/ping", ping)
}
func listArticles() {}
func deleteArticle() {}
func ping() {}
//- std/std.go
package std
import "net/http"
func Serve() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{id}", getItem)
	http.HandleFunc("/old", old)
}
func getItem(w http.ResponseWriter, r *http.Request) {}
func old(w http.ResponseWriter, r *http.Request) {}
//- gorilla/g.go
package gorilla
import "github.com/gorilla/mux"
func Serve() {
	r := mux.NewRouter()
	r.HandleFunc("/cart", viewCart).Methods("GET", "HEAD")
	r.HandleFunc("/all", all)
}
func viewCart() {}
func all() {}
"#,
        &[
            "<- GET /v1/users/:id  getUser  gin",
            "<- POST /login  login  gin",
            "<- GET /articles  listArticles  chi",
            "<- DELETE /articles/{id}  deleteArticle  chi",
            "<- GET /ping  ping  chi",
            "<- GET /items/{id}  getItem  net/http",
            "<- ANY /old  old  net/http",
            "<- GET /cart  viewCart  gorilla",
            "<- HEAD /cart  viewCart  gorilla",
            "<- ANY /all  all  gorilla",
        ],
    );
}

#[test]
fn a_method_of_several_classes_is_that_of_the_declared_one() {
    check(
        r#"//- cmd/routes.go
package main
import "github.com/labstack/echo/v4"
func routes(g *echo.Group, a *App) {
	g.GET("/users/:id", allowed(hasID(a.GetUser)))
	g.PUT("/users/:id", allowed(hasID(b.GetUser)))
}
func hasID(next echo.HandlerFunc) echo.HandlerFunc { return next }
func allowed(next echo.HandlerFunc) echo.HandlerFunc { return next }
//- cmd/users.go
package main
func (a *App) GetUser(c echo.Context) error { return nil }
//- cmd/store.go
package main
func (s *store) GetUser(id int) error { return nil }
"#,
        &[
            "<- GET …/users/:id  App.GetUser  echo",
            "<- PUT …/users/:id  routes  echo",
        ],
    );
}

#[test]
fn axum_and_actix() {
    check(
        r#"//- src/main.rs
use axum::{Router, routing::{get, post}};
mod users;
fn app() -> Router {
    Router::new()
        .route("/health", get(health))
        .nest("/api", users::router())
}
async fn health() {}
//- src/users.rs
use axum::{Router, routing::get};
pub fn router() -> Router {
    Router::new().route("/users/{id}", get(show).delete(remove))
}
async fn show() {}
async fn remove() {}
//- src/web.rs
use actix_web::{get, web};
#[get("/items/{id}")]
async fn item() {}
fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(web::scope("/v2").route("/list", web::get().to(list)));
}
async fn list() {}
"#,
        &[
            "<- GET /health  health  axum",
            "<- GET /api/users/{id}  show  axum",
            "<- DELETE /api/users/{id}  remove  axum",
            "<- GET /items/{id}  item  actix",
            "<- GET /v2/list  list  actix",
        ],
    );
}

#[test]
fn rails_and_laravel() {
    check(
        r#"//- config/routes.rb
Rails.application.routes.draw do
  root "home#index"
  namespace :api do
    resources :users, only: [:index, :show]
    get "status", to: "home#status"
  end
end
//- app/controllers/api/users_controller.rb
class Api::UsersController < ApplicationController
  def index
  end
  def show
  end
end
//- app/controllers/home_controller.rb
class HomeController < ApplicationController
  def index
  end
  def status
  end
end
//- routes/api.php
<?php
use App\Http\Controllers\UserController;
Route::get('/users/{id}', [UserController::class, 'show']);
Route::prefix('admin')->group(function () {
    Route::post('/users', [UserController::class, 'store']);
});
//- app/Http/Controllers/UserController.php
<?php
class UserController {
    public function show($id) {}
    public function store() {}
}
"#,
        &[
            "<- GET /  HomeController.index  rails",
            "<- GET /api/users  UsersController.index  rails",
            "<- GET /api/users/:id  UsersController.show  rails",
            "<- GET /api/status  HomeController.status  rails",
            "<- GET /users/{id}  UserController.show  laravel",
            "<- POST /admin/users  UserController.store  laravel",
        ],
    );
}

#[test]
fn clients_of_script() {
    check(
        r#"//- api.ts
import axios from 'axios';
const BASE = '/api/v1';
export const api = axios.create({ baseURL: '/api' });
export async function load(id: string) {
  await fetch(`${BASE}/users/${id}?full=1`);
  await fetch('/users', { method: 'POST', body: '' });
  await axios.get('http://cart:8080/items');
  await axios({ url: '/x/y', method: 'DELETE' });
}
//- use.ts
import { api } from './api';
export const save = (id: string) => api.put(`/orders/${encodeURIComponent(id)}`, {});
class Service {
  constructor(private http: HttpClient) {}
  all() { return this.http.get<User[]>('/api/all'); }
  cached() { return this.cache.get('/api/all'); }
}
"#,
        &[
            "-> GET /api/v1/users/{id}?full=1  load  fetch",
            "-> POST /users  load  fetch",
            "-> GET cart:8080/items  load  axios.get",
            "-> DELETE /x/y  load  axios",
            "-> PUT /api/orders/{id}  save  api.put",
            "-> GET /api/all  Service.all  this.http.get",
        ],
    );
}

#[test]
fn clients_of_python_go_rust_and_java() {
    check(
        r#"//- client.py
import requests, httpx, os
BASE = os.getenv("USERS_URL", "http://users:8000")
def load(id):
    requests.get(f"{BASE}/users/{id}")
    requests.request("PATCH", BASE + "/users/" + str(id))
    client = httpx.Client(base_url="http://orders")
    client.post("/orders", json={})
    config.get("/not/this")
//- client.go
package client
import ("fmt"; "net/http")
func Load(base, id string) {
	http.Get(fmt.Sprintf("http://cart/items/%s", id))
	req, _ := http.NewRequest(http.MethodPut, base+"/items/"+id, nil)
	http.NewRequestWithContext(ctx, "POST", "http://mail/send", nil)
}
//- src/lib.rs
async fn load(client: reqwest::Client, id: u32) {
    client.get(format!("http://users/users/{}", id)).send().await;
    reqwest::Client::new().post("http://users/users").send().await;
}
//- Client.java
class Client {
    void load(RestTemplate rest, String id) {
        rest.getForObject("http://users/users/" + id, User.class);
        rest.exchange("http://users/users", HttpMethod.PUT, null, User.class);
        webClient.post().uri("/orders/{id}", id).retrieve();
        new Request.Builder().url("http://mail/send").build();
    }
}
"#,
        &[
            "-> GET users:8000/users/{id}  load  requests.get",
            "-> PATCH users:8000/users/{id}  load  requests.request",
            "-> POST orders/orders  load  client.post",
            "-> GET cart/items/{id}  Load  http.Get",
            "-> PUT …{base}/items/{id}  Load  http.NewRequest",
            "-> POST mail/send  Load  http.NewRequestWithContext",
            "-> GET users/users/{id}  load  client.get",
            "-> POST users/users  load  post",
            "-> GET users/users/{id}  Client.load  rest.getForObject",
            "-> PUT users/users  Client.load  rest.exchange",
            "-> POST /orders/{id}  Client.load  uri",
            "-> ANY mail/send  Client.load  url",
        ],
    );
}

#[test]
fn addresses_that_functions_make_and_functions_around_requests() {
    check(
        r#"//- label.service.ts
class LabelService {
  private resourceUrl = this.config.getEndpointFor('api/labels');
  all() { return this.http.get<Label[]>(this.resourceUrl); }
  one(id: number) { return this.http.get<Label>(`${this.resourceUrl}/${encodeURIComponent(id)}`); }
  sign() { return this.http.post(this.config.getEndpointFor('api/sign'), {}); }
  go() { this.location.url('/search/x'); }
}
//- load.js
function add(id) {
  var url = '/api/cart/add/' + id;
  $http({ url: url, method: 'PUT' });
}
function drop(id) {
  var url = '/api/cart/drop/' + id;
  apiFetch(url, { method: 'DELETE' });
}
function reset() { cy.authenticatedRequest({ method: 'POST', url: '/api/reset' }); }
function plain(id) { request('http://' + host + ':8080/product/' + id, (err, res) => {}); }
//- app.test.js
test('users', () => request(app).get('/users'));
//- src/test/java/LabelIT.java
class LabelIT {
    private static final String URL = "/api/labels";
    private static final String URL_ID = URL + "/{id}";
    void one() { mvc.perform(get(URL_ID, 1)); }
    void add() { mvc.perform(post(URL).content("x")); }
}
//- Cart.java
class Cart {
    void send() { HttpPost post = new HttpPost("http://cart/items"); }
}
//- Client.cs
class Client {
    async Task Load() { await httpClient.GetStringAsync("/names"); }
}
//- load.kt
fun load(id: String) = client.get("/users/$id")
//- Catalogue.php
<?php
class CatalogueService {
    public function check($sku) {
        $url = sprintf('%s/product/%s', $this->catalogueUrl, $sku);
        $curl = curl_init($url);
    }
}
"#,
        &[
            "-> GET …{getEndpointFor}/api/labels  LabelService.all  this.http.get",
            "-> GET …{getEndpointFor}/api/labels/{id}  LabelService.one  this.http.get",
            "-> POST …{getEndpointFor}/api/sign  LabelService.sign  this.http.post",
            "-> PUT /api/cart/add/{id}  add  $http",
            "-> DELETE /api/cart/drop/{id}  drop  apiFetch",
            "-> POST /api/reset  reset  cy.authenticatedRequest",
            "-> GET {host}:8080/product/{id}  plain  request",
            "-> GET /users  app.test.js  get",
            "-> GET /api/labels/{id}  LabelIT.one  get",
            "-> POST /api/labels  LabelIT.add  post",
            "-> POST cart/items  Cart.send  HttpPost",
            "-> GET /names  Client.Load  httpClient.GetStringAsync",
            "-> GET /users/$id  load  client.get",
            "-> ANY …{this.catalogueUrl}/product/{sku}  CatalogueService.check  curl_init",
        ],
    );
}

#[test]
fn topics_of_kafka_nats_and_amqp() {
    check(
        r#"//- a.ts
import { Kafka } from 'kafkajs';
async function run() {
  await producer.send({ topic: 'orders', messages: [] });
  await consumer.subscribe({ topics: ['orders', 'mails'] });
}
//- b.go
package b
import "github.com/nats-io/nats.go"
func Run(nc *nats.Conn) {
	nc.Publish("orders.created", nil)
	nc.Subscribe("orders.created", func(m *nats.Msg) {})
}
//- c.py
import pika
def run(channel):
    channel.basic_publish(exchange="", routing_key="jobs", body="x")
    channel.basic_consume(queue="jobs", on_message_callback=work)
    channel.basic_publish(exchange="", routing_key=name, body="x")
"#,
        &[
            "-> kafka topic orders  run  send",
            "<- kafka topic orders  run  subscribe",
            "<- kafka topic mails  run  subscribe",
            "-> nats topic orders.created  Run  Publish",
            "<- nats topic orders.created  Run  Subscribe",
            "-> amqp topic jobs  run  basic_publish",
            "<- amqp topic jobs  run  basic_consume",
        ],
    );
}
