package app;

import org.framework.Inject;

@Route("/service") // calls src/main/java/app/Route.java:Route
public class Service {
    private final Repository<Account> accounts;
    @Inject private Clock clock;

    @Inject
    public Service(Repository<Account> accounts) {
        this.accounts = accounts;
        clock = new Clock(); // calls :Service.Clock
    }

    @Route(value = "/open", types = Account.class) // calls src/main/java/app/Route.java:Route
    public String open(long id) {
        Account account = accounts.load(id); // calls src/main/java/app/Repository.java:Repository.load
        account.touch(clock.now()); // calls :Account.touch, :Service.Clock.now
        return accounts.first().name(); // calls src/main/java/app/Repository.java:Repository.first, :Account.name
    }

    protected static class Clock {
        protected long now() {
            return System.currentTimeMillis();
        }
    }
}

class Account {
    private long touched;

    void touch(long at) {
        touched = at;
    }

    String name() {
        return "account" + touched;
    }
}
