export type Listener<T> = (event: T) => void;

export class Emitter<Events extends Record<string, unknown>> {
  private listeners: { [K in keyof Events]?: Listener<Events[K]>[] } = {};

  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    (this.listeners[name] ??= []).push(listener);
    return () => this.off(name, listener); // calls :Emitter.off
  }

  off<K extends keyof Events>(name: K, listener: Listener<Events[K]>): void {
    this.listeners[name] = this.listeners[name]?.filter((one) => one !== listener);
  }

  emit<K extends keyof Events>(name: K, event: Events[K]): void {
    this.listeners[name]?.forEach((listener) => listener(event));
  }
}
