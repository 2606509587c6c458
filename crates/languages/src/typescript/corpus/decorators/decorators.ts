export function sealed(target: Function): void {
  Object.seal(target);
}

export function route(path: string) {
  const full = normal(path); // calls :normal
  return function (target: object, key: string, descriptor: PropertyDescriptor): void {
    register(full, key); // calls :register
  };
}

export const inject = (token: string) => (target: object, key: string | undefined, index: number) => {
  register(token, String(index)); // calls :register
};

function normal(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

const routes = new Map<string, string>();

export function register(path: string, key: string): void {
  routes.set(path, key);
}

export namespace check {
  export function min(size: number) {
    return (target: object, key: string): void => register(key, String(size)); // calls :register
  }
}
