export class Response {
  async json(): Promise<Body> {
    return new Body(); // calls :Body
  }
  cancel(): void {}
}

export class Body {
  title(): string {
    return "title";
  }
}

export async function request(url: string): Promise<Response> {
  await pause(url.length); // calls :pause
  return new Response(); // calls :Response
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (ms < 0) reject(new Error("negative"));
    setTimeout(resolve, ms);
  });
}

export const retry = async <T>(times: number, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (times === 0) throw error;
    return retry(times - 1, run); // calls :retry
  }
};

export async function* pages(count: number): AsyncGenerator<Response> {
  for (let i = 0; i < count; i++) {
    yield await request(`/${i}`); // calls :request
  }
}
