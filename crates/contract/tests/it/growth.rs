//! Work grows with the input: twice the input takes at most about twice as many steps and bytes, for each kind of contract
//! and each framework. If ends are many on both sides, so that every pair would be an answer, the work has a bound in
//! proportion to the input, and the answer says that something was left out.

use crate::fixture::surface_within;
use base::Cancel;
use contract::link::{LinkOptions, link_repositories_within};
use contract::{Endpoint, Fuel, Protocol};

/// The work of finding and linking.
struct Work {
    steps: u64,
    bytes: u64,
    has_cut: bool,
    endpoints: Vec<Endpoint>,
    links: usize,
}

fn work(text: &str) -> Work {
    let fuel = Fuel::new(&Cancel::default());
    let surface = surface_within("here", text, &fuel);
    let endpoints = surface.endpoints.clone();
    let found = link_repositories_within(&[surface], &LinkOptions::default(), &fuel);
    Work {
        steps: fuel.steps(),
        bytes: fuel.bytes(),
        has_cut: found.is_cut,
        endpoints,
        links: found.links.len(),
    }
}

fn longest_path(endpoints: &[Endpoint]) -> usize {
    let paths = endpoints.iter().map(|endpoint| match &endpoint.protocol {
        Protocol::Http { path, .. } => path.len(),
        _ => 0,
    });
    paths.max().unwrap_or(0)
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

const GO: &str = "package main\nimport \"net/http\"\nfunc h() {}\nfunc c() { http.Get(\"/x\") }\n";

/// A constant of 197 bytes, put into a path 45 times.
fn constants() -> (String, String) {
    let file = format!(
        "//- k/k.go\npackage k\nconst ABC = \"/{}\"\n",
        "z".repeat(196)
    );
    (file, "{ABC}".repeat(45))
}

/// Repositories of a number of pieces.
type Fixture = (&'static str, fn(usize) -> String);

/// Frameworks and contracts in usual code, and look-ups that once searched whole lists.
const GROWING: &[Fixture] = &[
    ("groups on groups", |n| {
        let groups = lines(n, |i| {
            format!(
                "g{} := g{i}.Group(\"/a\")\ng{}.GET(\"/x\", h)\n",
                i + 1,
                i + 1
            )
        });
        format!("//- main.go\n{GO}func main() {{\ng0 := gin.New()\n{groups}}}\n")
    }),
    ("routes within blocks", |n| {
        let (file, long) = constants();
        let open = lines(40, |_| {
            format!("r.Route(\"/{long}\", func(r chi.Router) {{\n")
        });
        let routes = "r.Get(\"/x\",h)\n".repeat(n);
        let close = "})\n".repeat(40);
        format!(
            "{file}//- main.go\n{GO}func main() {{\nr := chi.NewRouter()\n{open}{routes}{close}}}\n"
        )
    }),
    ("routes behind closed blocks", |n| {
        let open = "r.Route(\"/a\", func(r chi.Router) {\n".repeat(n);
        let close = "})\n".repeat(n);
        let routes = "r.Get(\"/x\",h)\n".repeat(n);
        format!("//- main.go\n{GO}func main() {{\nr := chi.NewRouter()\n{open}{close}{routes}}}\n")
    }),
    ("resources of Rails", |n| {
        let open = format!("resources \"{}\" do\n", "a".repeat(235)).repeat(40);
        let close = "end\n".repeat(40);
        let routes = "resources :a\n".repeat(n);
        let controller = "//- a.rb\nclass AController\n  def index\n  end\nend\n";
        format!(
            "{controller}//- config/routes.rb\nRails.application.routes.draw do\n{open}{routes}{close}end\n"
        )
    }),
    ("imports and routes of a file", |n| {
        let imports = lines(n, |i| format!("import \"a{i}\"\n"));
        let routes = "app.get(\"/x\",h)\n".repeat(n);
        format!(
            "//- main.js\n{imports}const app = express()\nfunction h() {{}}\nfunction c() {{ fetch(\"/x\") }}\n{routes}"
        )
    }),
    ("imports and routes of Python", |n| {
        let imports = lines(n, |i| format!("import a{i}\n"));
        let routes = lines(n, |i| format!("@app.get('/x{i}')\ndef f{i}():\n    pass\n"));
        format!("//- main.py\n{imports}app = FastAPI()\n{routes}")
    }),
    ("decorated methods", |n| {
        let methods = lines(n, |i| format!("@Get() a{i}() {{}}\n"));
        format!("//- main.ts\nexport class C {{\n{methods}}}\n")
    }),
    ("decorated methods of a decorated class", |n| {
        let decorators = "@Controller('/a')\n".repeat(n);
        let methods = lines(n, |i| format!("@Get() a{i}() {{}}\n"));
        format!("//- main.ts\n{decorators}export class C {{\n{methods}}}\n")
    }),
    ("handlers with namesakes", |n| {
        let files = lines(199, |i| {
            format!("//- {}/h{i}.js\nfunction a(){{}}\n", "d/e".repeat(40))
        });
        let names = vec!["a"; 37].join(",");
        let routes = format!("app.get(\"/x\",{names})\n").repeat(n);
        format!(
            "{files}//- {}/s.js\nconst app = express()\n{routes}",
            "d/e".repeat(40)
        )
    }),
    ("the one client of an imported file", |n| {
        let requests = "fetch(\"/q\")\n".repeat(n);
        let calls = "x.get(\"/a\",h)\n".repeat(n);
        format!(
            "//- b.js\nfunction c() {{\n{requests}}}\nexport default 1\n//- a.js\nimport x from \"./b\"\n{calls}"
        )
    }),
    ("default exports of a long file", |n| {
        let functions = lines(n, |i| format!("export function f{i}() {{}}\n"));
        let routes = "app.get(\"/zz\",q,q,q,q,q)\n".repeat(n);
        format!(
            "//- b.js\n{functions}//- a.js\nimport {{q}} from \"./b\"\nconst app = express()\n{routes}"
        )
    }),
    ("mounts", |n| {
        let mounts = lines(n, |i| {
            format!(
                "const r{i} = Router()\nr{i}.get('/x', h)\napp.use('/m{i}', r{i}, r{i}, r{i})\n"
            )
        });
        format!("//- a.js\nconst app = express()\n{mounts}")
    }),
    ("modules that are mounted", |n| {
        let files = lines(n, |i| {
            format!("//- m{i}.js\nconst r = Router()\nr.get('/x', h)\n")
        });
        let imports = lines(n, |i| format!("import m{i} from './m{i}'\n"));
        let mounts = lines(n, |i| format!("app.use('/m{i}', require('./m{i}'))\n"));
        format!("{files}//- a.js\n{imports}const app = express()\n{mounts}")
    }),
    ("requests and their routes", |n| {
        let routes = lines(n, |i| format!("app.get('/r{i}/:id', h)\n"));
        let requests = lines(n, |i| format!("fetch('/r{i}/7')\n"));
        format!(
            "//- s.js\nconst app = express()\nfunction h() {{}}\n{routes}//- c.js\nfunction c() {{\n{requests}}}\n"
        )
    }),
    ("routes below many folders", |n| {
        let routes = lines(n, |i| format!("app.get('/x{i}', h)\n"));
        format!(
            "//- {}s.js\nconst app = express()\nfunction h() {{}}\n{routes}",
            "b/".repeat(400)
        )
    }),
    ("procedures and their clients", |n| {
        let services = lines(n, |i| {
            format!("service S{i}Service {{ rpc Get{i}(M) returns (M); }}\n")
        });
        let clients = lines(n, |i| {
            format!("    s{i}_stub = S{i}ServiceStub(ch)\n    s{i}_stub.Get{i}(1)\n")
        });
        let servers = lines(n, |i| {
            format!(
                "class X{i}(S{i}ServiceServicer):\n    def Get{i}(self, request, context):\n        pass\n"
            )
        });
        format!(
            "//- a.proto\nmessage M {{}}\n{services}//- s.py\n{servers}//- c.py\ndef c(ch):\n{clients}"
        )
    }),
    ("fields of GraphQL", |n| {
        let fields = lines(n, |i| format!("f{i}: Int\n"));
        let asked = lines(n, |i| format!("const Q{i} = gql`{{ f{i} }}`\n"));
        format!("//- s.graphql\ntype Query {{\n{fields}}}\n//- c.js\n{asked}")
    }),
    ("operations of OpenAPI and requests", |n| {
        let paths = lines(n, |i| format!("  /p{i}: {{get: {{operationId: op{i}}}}}\n"));
        let requests = lines(n, |i| format!("fetch('/p{i}')\n"));
        format!(
            "//- api.yaml\nopenapi: 3.0.0\npaths:\n{paths}//- c.js\nfunction c() {{\n{requests}}}\n"
        )
    }),
    ("topics", |n| {
        let send = lines(n, |i| format!("producer.send({{ topic: 'orders{i}' }})\n"));
        let receive = lines(n, |i| {
            format!("consumer.subscribe({{ topic: 'orders{i}' }})\n")
        });
        format!(
            "//- a.js\nimport {{ Kafka }} from 'kafkajs';\nfunction s() {{\n{send}}}\nfunction r() {{\n{receive}}}\n"
        )
    }),
];

/// Ends that all match each other.
const BOUNDED: &[Fixture] = &[
    ("long groups with constants", |n| {
        let (file, long) = constants();
        let groups = lines(n, |i| {
            format!(
                "g{} := g{i}.Group(\"/{long}\")\ng{}.GET(\"/x\", h)\n",
                i + 1,
                i + 1
            )
        });
        format!("{file}//- main.go\n{GO}func main() {{\ng0 := gin.New()\n{groups}}}\n")
    }),
    ("resources of Rails with constants", |n| {
        let (file, long) = constants();
        let open = format!("resources \"{long}\" do\n").repeat(40);
        let routes = "resources :a\n".repeat(n);
        let close = "end\n".repeat(40);
        format!(
            "{file}//- config/routes.rb\nRails.application.routes.draw do\n{open}{routes}{close}end\n"
        )
    }),
    ("paths and methods of a decorator", |n| {
        let methods = lines(n, |i| {
            let paths = lines(8, |at| format!("\"/p{at}\","));
            format!("@RequestMapping(value={{{paths}}},method={{GET,PUT,POST}}) void a{i}(){{}}\n")
        });
        format!(
            "//- {}C.java\n@RestController\nclass C {{\n{methods}}}\n",
            "a/".repeat(400)
        )
    }),
    ("documents of many fields", |n| {
        let fields = lines(80, |i| format!("f{i} "));
        let documents = format!("gql`{{{fields}}}`\n").repeat(n);
        format!(
            "//- {}c.js\nfunction c() {{\n{documents}}}\n",
            "a/".repeat(400)
        )
    }),
    ("roots of one file", |n| {
        let routes = "app.get(\"/\",h)\n".repeat(64);
        let requests = "fetch(\"/\")\n".repeat(n);
        format!(
            "//- {}s.js\nconst app = express()\n{routes}//- c.js\nfunction c() {{\n{requests}}}\n",
            "b/".repeat(300)
        )
    }),
    ("routes that may stand behind a gateway", |n| {
        let routes = lines(39, |i| {
            format!("app.get(\"{}/x\",h)\n", "/api".repeat(i)).repeat(20)
        });
        let requests = format!("axios.post(\"{}/x\")\n", "/api".repeat(39)).repeat(n);
        format!(
            "//- s.js\nconst app = express()\n{routes}//- c.js\nfunction c() {{\n{requests}}}\n"
        )
    }),
    ("copies of a procedure and calls of it", |n| {
        let protos = lines(n, |i| {
            format!("//- p/a{i}.proto\npackage p{i};service CartService{{rpc A(B)returns(C);}}\n")
        });
        let calls = "    s.A(1)\n".repeat(n);
        format!("{protos}//- c.py\ndef c(ch):\n    s = CartServiceStub(ch)\n{calls}")
    }),
    ("copies of a procedure and classes that provide it", |n| {
        let protos = lines(n, |i| {
            format!("//- p/a{i}.proto\npackage p{i};service CartService{{rpc A(B)returns(C);}}\n")
        });
        let classes = lines(n, |i| {
            format!("class X{i}(CartServiceServicer):\n    def A(self, r, c): pass\n")
        });
        format!(
            "{protos}//- s.py\n{classes}//- c.py\ndef c(ch):\n    s = CartServiceStub(ch)\n    s.A(1)\n"
        )
    }),
];

#[test]
fn twice_the_input_takes_about_twice_the_work() {
    let mut failed = Vec::new();
    for (name, fixture) in GROWING {
        let (once, twice) = (work(&fixture(300)), work(&fixture(600)));
        let grows = |once: u64, twice: u64| twice as f64 > 2.3 * once as f64 + 2_000.0;
        if grows(once.steps, twice.steps) || grows(once.bytes, twice.bytes) {
            failed.push(format!(
                "{name}: steps {} -> {}, bytes {} -> {}",
                once.steps, twice.steps, once.bytes, twice.bytes
            ));
        }
        if once.steps < 300 {
            failed.push(format!("{name}: only {} steps", once.steps));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn what_belongs_to_each_other_has_a_most_in_proportion_to_the_input() {
    for (name, fixture) in BOUNDED {
        let text = fixture(1_000);
        let work = work(&text);
        let (steps, bytes) = (3_000_000 + 64 * text.len(), (40 << 20) + 256 * text.len());
        assert!(work.steps < steps as u64, "{name}: {} steps", work.steps);
        assert!(work.bytes < bytes as u64, "{name}: {} bytes", work.bytes);
        assert!(longest_path(&work.endpoints) <= 1_024, "{name}");
        assert!(work.links <= 30_000, "{name}");
    }
}

#[test]
fn what_the_fuel_does_not_suffice_for_is_said() {
    let copies = BOUNDED
        .iter()
        .find(|(name, _)| name.ends_with("calls of it"));
    let (_, fixture) = copies.expect("a fixture");
    assert!(!work(&fixture(20)).has_cut);
    assert!(work(&fixture(2_000)).has_cut);
    // A path that is too long for a route is left out alone.
    let long = format!(
        "//- a.js\nconst app = express()\nconst r = Router()\napp.use('/{}', r)\n",
        "a".repeat(230)
    );
    let text = |times: usize| {
        let inner = lines(times, |n| {
            format!(
                "const r{} = Router()\nr{n}.use('/{}', r{})\n",
                n + 1,
                "b".repeat(230),
                n + 1
            )
        });
        format!(
            "{long}const r0 = Router()\nr.use(r0)\n{inner}r{times}.get('/x', h)\napp.get('/y', h)\n"
        )
    };
    let (short, long) = (work(&text(1)), work(&text(3)));
    assert_eq!((short.endpoints.len(), short.has_cut), (2, false));
    assert_eq!((long.endpoints.len(), long.has_cut), (1, true));
}

#[test]
fn nobody_who_waits_means_no_work() {
    let cancel = Cancel::default();
    cancel.set();
    let fuel = Fuel::new(&cancel);
    let (_, fixture) = GROWING[0];
    let surface = surface_within("here", &fixture(50), &fuel);
    assert!(surface.endpoints.is_empty());
}

#[test]
fn blocks_that_share_a_line_do_not_stand_in_each_other() {
    let text = format!(
        "//- main.go\n{GO}func main() {{\nr := chi.NewRouter()\nr.Route(\"/a\", func(r chi.Router) {{\nr.Get(\"/x\", h)\n}}); r.Route(\"/b\", func(r chi.Router) {{\nr.Get(\"/y\", h)\nr.Route(\"/c\", func(r chi.Router) {{\nr.Get(\"/z\", h)\n}})\nr.Get(\"/w\", h)\n}})\nr.Get(\"/v\", h)\n}}\n"
    );
    let found = work(&text).endpoints;
    let mut paths: Vec<&str> = found
        .iter()
        .filter(|endpoint| endpoint.role == contract::Role::Provider)
        .filter_map(|endpoint| match &endpoint.protocol {
            Protocol::Http { path, .. } => Some(path.as_str()),
            _ => None,
        })
        .collect();
    paths.sort_unstable();
    assert_eq!(paths, ["/a/x", "/b/c/z", "/b/w", "/b/y", "/v"]);
}
