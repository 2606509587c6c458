//! Links between consumers and providers.

use crate::fixture::links;

fn check(repos: &[(&str, &str)], expected: &[&str]) {
    let found = links(repos);
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

const CART: &str = r#"//- cart.proto
syntax = "proto3";
package shop;
service CartService {
  rpc GetCart(GetCartRequest) returns (Cart);
  rpc AddItem(AddItemRequest) returns (Cart);
}
"#;

#[test]
fn clients_of_all_languages_lead_to_the_implementation() {
    let text = format!(
        "{CART}{}",
        r#"//- cart.go
package cart
type server struct{}
func (s *server) GetCart(ctx context.Context, req *pb.GetCartRequest) (*pb.Cart, error) { return nil, nil }
func (s *server) AddItem(ctx context.Context, req *pb.AddItemRequest) (*pb.Cart, error) { return nil, nil }
//- front/main.go
package front
func view(conn *grpc.ClientConn) {
	pb.NewCartServiceClient(conn).GetCart(ctx, &pb.GetCartRequest{})
}
//- mail.py
import cart_pb2_grpc
def remind(channel):
    stub = cart_pb2_grpc.CartServiceStub(channel)
    stub.GetCart(request)
//- web/connect.ts
import { createClient } from "@connectrpc/connect";
import { CartService } from "./cart_pb";
export const cartServiceClient = createClient(CartService, transport);
//- web/use.ts
import { cartServiceClient } from "./connect";
export const add = async () => { await cartServiceClient.addItem({}); };
export const other = async () => { await store.addItem({}); };
"#
    );
    check(
        &[("shop", &text)],
        &[
            "shop:view -> shop:server.GetCart  proto CartService.GetCart  0.91",
            "shop:remind -> shop:server.GetCart  proto CartService.GetCart  0.91",
            "shop:add -> shop:server.AddItem  proto CartService.AddItem  0.73",
        ],
    );
}

#[test]
fn a_call_may_name_service_and_procedure_as_texts() {
    let text = format!(
        "{CART}{}",
        r#"//- web/cart.ts
export async function getCartById(id: string) {
  return await rpc.call('CartService', 'GetCart', { id });
}
export async function GetCart(request: GetCartRequest) {
  return await transport.unary('shop.CartService', 'GetCart', request);
}
export async function load(id: string) {
  return await rpc.call('CartService', 'GetCart', { id });
}
export async function other(id: string) {
  return await rpc.call('OrderService', 'GetCart', { id });
}
"#
    );
    check(
        &[("shop", &text)],
        &[
            "shop:GetCart -> shop:CartService.GetCart  proto CartService.GetCart  0.91",
            "shop:getCartById -> shop:CartService.GetCart  proto CartService.GetCart  0.61",
            "shop:load -> shop:CartService.GetCart  proto CartService.GetCart  0.61",
        ],
    );
}

#[test]
fn implementations_of_python_node_and_java_are_found() {
    let text = format!(
        "{CART}{}",
        r#"//- a/server.py
class CartServicer(cart_pb2_grpc.CartServiceServicer):
    def GetCart(self, request, context):
        pass
//- b/server.js
const proto = grpc.loadPackageDefinition(definition);
function addItem(call, callback) {}
function main() {
  server.addService(proto.CartService.service, { addItem });
}
//- c/Client.java
class Client {
    void run(Channel channel) {
        CartServiceGrpc.newBlockingStub(channel).getCart(request);
        blockingStub = CartServiceGrpc.newBlockingStub(channel);
        blockingStub.addItem(request);
    }
}
"#
    );
    check(
        &[("shop", &text)],
        &[
            "shop:Client.run -> shop:CartServicer.GetCart  proto CartService.GetCart  0.73",
            "shop:Client.run -> shop:addItem  proto CartService.AddItem  0.73",
        ],
    );
}

#[test]
fn parameters_of_go_need_no_names_and_an_own_object_is_no_client() {
    let text = format!(
        "{CART}{}",
        r#"//- cart.go
package cart
type store struct{}
func (s *store) GetCart(context.Context, *pb.GetCartRequest) (*pb.Cart, error) { return nil, nil }
//- web/client.ts
import { CartServiceClient } from "./generated/cart";
const client = new CartServiceClient(address);
export default { getCart() { return client.getCart({}); } };
//- web/service.ts
import CartGateway from "./client";
const CartService = { async getCart(id) { return CartGateway.getCart(id); } };
export default CartService;
//- web/page.ts
import CartService from "./service";
export function page(id) { return CartService.getCart(id); }
"#
    );
    check(
        &[("shop", &text)],
        &["shop:getCart -> shop:store.GetCart  proto CartService.GetCart  0.73"],
    );
}

#[test]
fn a_class_of_cpp_may_have_the_name_of_its_service() {
    let text = format!(
        "{CART}{}",
        r#"//- server.cpp
class CartService final : public shop::CartService::Service {
  Status GetCart(ServerContext* context, const GetCartRequest* request, Cart* response) override {
    return Status::OK;
  }
};
//- mail.py
import cart_pb2_grpc
def remind(channel):
    stub = cart_pb2_grpc.CartServiceStub(channel)
    stub.GetCart(request)
"#
    );
    check(
        &[("shop", &text)],
        &["shop:remind -> shop:CartService.GetCart  proto CartService.GetCart  0.91"],
    );
}

#[test]
fn the_root_of_a_service_needs_its_name() {
    let api = "//- cart/app.js\nconst app = express();\napp.get('/', home);\nfunction home() {}\n";
    let web = r#"//- web.js
export function a() { return fetch(`${BASE_URL}/`); }
export function b() { return fetch('http://cart:8080/'); }
"#;
    check(
        &[("api", api), ("web", web)],
        &["web:b -> api:home  http GET /  0.9"],
    );
}

#[test]
fn requests_lead_through_a_gateway_to_the_procedure() {
    let api = r#"//- api.proto
service MemoService {
  rpc ListMemos(ListMemosRequest) returns (Memos) {
    option (google.api.http) = {get: "/api/v1/memos"};
  }
}
//- memo.go
package memo
func (s *APIV1Service) ListMemos(ctx context.Context, request *v1pb.ListMemosRequest) (*v1pb.Memos, error) { return nil, nil }
"#;
    let web = "//- web.ts\nexport async function all() {\n  return fetch('/api/v1/memos');\n}\n";
    check(
        &[("api", api), ("web", web)],
        &["web:all -> api:APIV1Service.ListMemos  proto GET /api/v1/memos  0.91"],
    );
}

#[test]
fn requests_need_method_and_path_and_no_host_of_others() {
    let api = "//- app.js\nconst app = express();\napp.get('/users/:id', one);\napp.post('/users', add);\nfunction one() {}\nfunction add() {}\n";
    let web = r#"//- web.js
export function a(id) { return fetch(`/users/${id}`); }
export function b() { return fetch('/users', { method: 'POST' }); }
export function c() { return fetch('/users', { method: 'DELETE' }); }
export function d() { return fetch('https://www.github.com/users/x'); }
export function e(id) { return axios.get(`${config.url}/users/${id}`); }
export function f() { return fetch('/users/me/posts'); }
"#;
    check(
        &[("api", api), ("web", web)],
        &[
            "web:a -> api:one  http GET /users/{}  0.9",
            "web:b -> api:add  http POST /users  0.9",
            "web:e -> api:one  http GET /users/{}  0.75",
        ],
    );
}

#[test]
fn a_host_of_others_is_known_however_it_is_put_in() {
    let text = r#"//- s.js
app.get('/users', listUsers);
function listUsers(req, res) {}
//- c.js
export function a() { return fetch(new URL('/users', 'https://api.github.com')); }
export function b() { return axios.get('/users', { baseURL: 'https://api.github.com' }); }
export function c(env) { return fetch(`https://${env}.stripe.com/users`); }
export function d() { return axios({ url: '/users', baseURL: 'https://api.github.com' }); }
export function own() { return fetch(new URL('/users', 'http://localhost:3000')); }
//- c.py
def e(): return requests.get(urljoin("https://api.github.com", "/users"))
def f(): return requests.get("%s/users" % "https://api.github.com")
def g(): return requests.get("{}/users".format("https://api.github.com"))
def ours(): return requests.get("%s/users" % "http://localhost:3000")
//- c.go
package c
func G() { http.Get(fmt.Sprintf("%s/users", "https://api.github.com")) }
"#;
    check(
        &[("shop", text)],
        &[
            "shop:own -> shop:listUsers  http GET /users  0.9",
            "shop:ours -> shop:listUsers  http GET /users  0.9",
        ],
    );
}

#[test]
fn a_host_beside_the_path_or_on_the_client_is_known() {
    let text = r#"//- s.js
app.get('/users', listUsers);
function listUsers(req, res) {}
//- c.js
export function a() { https.request({ hostname: 'api.github.com', path: '/users', method: 'GET' }); }
export function own() { https.request({ hostname: 'localhost', path: '/users', method: 'GET' }); }
//- one.js
const BASE_URL = 'https://api.github.com';
export function d() { return fetch(`${BASE_URL}/users`); }
//- two.js
const BASE_URL = 'http://localhost:3000';
export function mine() { return fetch(`${BASE_URL}/users`); }
"#;
    check(
        &[("shop", text)],
        &[
            "shop:own -> shop:listUsers  http GET /users  0.9",
            "shop:mine -> shop:listUsers  http GET /users  0.9",
        ],
    );
}

#[test]
fn a_request_to_an_unknown_host_is_less_certain() {
    let text = r#"//- cart/s.js
app.get('/users', listUsers);
function listUsers(req, res) {}
//- c.js
export function a() { return fetch(`${config.url}/users`); }
export function named() { return fetch(`${CART_URL}/users`); }
export function page() { return fetch('/users'); }
//- c.py
def b():
    with httpx.Client(base_url=BASE) as client:
        return client.get("/users")
"#;
    check(
        &[("shop", text)],
        &[
            "shop:a -> shop:listUsers  http GET /users  0.75",
            "shop:named -> shop:listUsers  http GET /users  0.9",
            "shop:page -> shop:listUsers  http GET /users  0.9",
            "shop:b -> shop:listUsers  http GET /users  0.75",
        ],
    );
}

#[test]
fn a_test_that_declares_a_route_itself_asks_its_own_server() {
    let text = r#"//- app.js
const app = express();
app.get('/users/:id', one);
app.get('/health', health);
app.get('/', home);
app.head('/', home);
app.post('/', add);
function home() {}
function one() {}
function health() {}
//- app.test.js
const app = express();
app.get('/users/:id', (req, res) => res.end());
test('own', async () => { await fetch(`/users/${id}`); });
test('real', async () => { await fetch('/health'); });
test('root', async () => { await client.get('/'); });
"#;
    check(
        &[("api", text)],
        &[
            "api:app.test.js -> api:health  http GET /health  0.9",
            "api:app.test.js -> api:home  http GET /  0.9",
        ],
    );
}

#[test]
fn of_several_services_the_host_or_the_path_says_which() {
    let text = r#"//- cart/server.js
const app = express();
app.get('/items/:id', item);
function item() {}
//- user-service/server.js
const app = express();
app.get('/items/:id', owned);
function owned() {}
//- pay.py
def pay(id):
    requests.get("http://{user}:8080/items/{id}".format(user=USER, id=id))
//- web.js
export function load(id) { return $http({ url: '/api/cart/items/' + id, method: 'GET' }); }
"#;
    check(
        &[("shop", text)],
        &[
            "shop:pay -> shop:owned  http GET /items/{}  0.9",
            "shop:load -> shop:item  http GET /api/cart/items/{}  0.72",
        ],
    );
}

#[test]
fn a_service_may_have_its_name_before_all_its_paths() {
    let text = r#"//- account-service/src/main/java/AccountController.java
@RestController
public class AccountController {
    @RequestMapping(path = "/{name}", method = RequestMethod.GET)
    public Account get(@PathVariable String name) { return null; }
    @RequestMapping(path = "/", method = RequestMethod.POST)
    public Account create() { return null; }
}
//- statistics-service/src/main/java/StatisticsController.java
@RestController
public class StatisticsController {
    @RequestMapping(value = "/{accountName}", method = RequestMethod.GET)
    public List list(@PathVariable String accountName) { return null; }
}
//- notification-service/src/main/java/AccountServiceClient.java
@FeignClient(name = "account-service")
public interface AccountServiceClient {
    @RequestMapping(method = RequestMethod.GET, value = "/accounts/{accountName}")
    String getAccount(@PathVariable("accountName") String accountName);
}
//- notification-service/src/main/java/RatesClient.java
@FeignClient(url = "${rates.url}", name = "rates-client")
public interface RatesClient {
    @RequestMapping(method = RequestMethod.GET, value = "/latest")
    String latest();
}
//- account-service/src/test/java/AccountControllerTest.java
public class AccountControllerTest {
    void create() { mockMvc.perform(post("/").content("x")); }
}
//- settings.py
app.config["USERS_URI"] = 'http://{}/users'.format(host)
//- load.py
HEALTH = "/health"
def load(s):
    return requests.get(url=app.config["USERS_URI"])
//- users/app.py
@app.route("/users")
def users():
    pass
//- users/test_app.py
def test_users():
    client = app.test_client()
    client.get("/users")
"#;
    check(
        &[("piggy", text)],
        &[
            "piggy:AccountControllerTest.create -> piggy:AccountController.create  http POST /  0.9",
            "piggy:load -> piggy:users  http GET /users  0.75",
            "piggy:AccountServiceClient.getAccount -> piggy:AccountController.get  http GET /accounts/{}  0.72",
            "piggy:test_users -> piggy:users  http GET /users  0.9",
        ],
    );
}

#[test]
fn an_openapi_document_adds_to_the_confidence_and_stands_in_where_no_code_is_known() {
    let document = "//- openapi.yaml\nopenapi: 3.0.0\npaths:\n  /users/{id}:\n    get:\n      operationId: getUser\n      responses: {}\n";
    let web = "//- web.ts\nexport const load = (id: string) => fetch(`/users/${id}`);\n";
    check(
        &[("api", document), ("web", web)],
        &["web:load -> api:getUser  openapi GET /users/{}  0.905"],
    );
    let with_code = format!(
        "{document}//- app.js\nconst app = express();\napp.get('/users/:id', one);\nfunction one() {{}}\n"
    );
    check(
        &[("api", &with_code), ("web", web)],
        &["web:load -> api:one  openapi GET /users/{}  0.905"],
    );
}

#[test]
fn documents_of_graphql_lead_to_resolvers() {
    let api = "//- schema.graphql\ntype Query { user(id: ID!): User }\ntype User { id: ID }\n//- r.go\npackage r\nfunc (r *queryResolver) User(ctx context.Context, id string) (*User, error) { return nil, nil }\n";
    let web = "//- q.ts\nimport { gql } from '@apollo/client';\nexport const Q = gql`query U { user(id: 1) { id } }`;\nexport function use() { return gql`query { user { id } nothing }`; }\n";
    let found = links(&[("api", api), ("web", web)]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .all(|l| l.contains("-> api:queryResolver.User  graphql Query.user  0.908"))
    );
}

#[test]
fn ten_thousand_routes_and_requests_are_linked() {
    let mut api = "//- app.js\nconst app = express();\n".to_owned();
    let mut web = "//- web.js\n".to_owned();
    for n in 0..10_000 {
        api.push_str(&format!(
            "app.get('/r{n}/:id', h{n});\nfunction h{n}() {{}}\n"
        ));
        web.push_str(&format!(
            "export function c{n}(id) {{ return fetch(`/r{n}/${{id}}`); }}\n"
        ));
    }
    assert_eq!(links(&[("api", &api), ("web", &web)]).len(), 10_000);
}
