package app;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class ServiceTest {
    private Service service;
    private final Memory memory = new Memory(); // calls :ServiceTest.Memory

    @Before
    public void setUp() {
        service = new Service(memory); // calls src/main/java/app/Service.java:Service.Service
    }

    @Test
    public void opens() {
        assertEquals("account", service.open(1)); // calls src/main/java/app/Service.java:Service.open
        assertEquals(2, memory.count()); // calls :ServiceTest.Memory.count
        new Service(id -> new Account()).open(memory.first().name().length()); // calls src/main/java/app/Service.java:Service.Service, src/main/java/app/Service.java:Account, src/main/java/app/Service.java:Service.open, src/main/java/app/Repository.java:Repository.first, src/main/java/app/Service.java:Account.name
    }

    @Route // calls src/main/java/app/Route.java:Route
    static class Memory implements Repository<Account> {
        private int count;

        @Override
        public Account load(long id) {
            count++;
            return new Account(); // calls src/main/java/app/Service.java:Account
        }

        int count() {
            return count;
        }
    }

    static class FixedClock extends Service.Clock {
        @Override
        protected long now() {
            return super.now() + 1; // calls src/main/java/app/Service.java:Service.Clock.now
        }
    }
}
