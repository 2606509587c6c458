import { EventEmitter } from "node:events";
import { Emitter } from "./emitter";

class Change {
  undo(): void {}
}

class Tick {
  undo(): string {
    return "";
  }
}

type Events = { change: Change; tick: Tick };

class Editor extends Emitter<Events> {
  private history: Change[] = [];
  private format?: (text: string) => string;
  onSave: ((name: string) => void) | null = null;

  constructor() {
    super(); // calls emitter.ts:Emitter
    this.on("change", this.record); // calls emitter.ts:Emitter.on
    this.on("tick", (tick) => tick.undo().trim()); // calls emitter.ts:Emitter.on, :Tick.undo (missed)
    this.record = this.record.bind(this);
  }

  record(change: Change): void {
    this.history.push(change);
  }

  undo(): void {
    this.history.pop()?.undo(); // calls :Change.undo
    this.history.at(-1)!.undo(); // calls :Change.undo
    (this.history[0] as Change).undo(); // calls :Change.undo
  }

  save = (name: string): void => {
    this.undo(); // calls :Editor.undo
    this.emit("change", new Change()); // calls emitter.ts:Emitter.emit, :Change
  };
}

class Socket extends EventEmitter {
  open(): void {
    this.on("data", () => this.close()); // calls :Socket.close
    this.emit("open");
  }
  close(): void {}
}

const editor = new Editor(); // calls :Editor.constructor
const stop = editor.on("change", (change) => change.undo()); // calls emitter.ts:Emitter.on, :Change.undo (missed)
stop(); // calls :stop
editor.save("a"); // calls :Editor.save
new Socket().open(); // calls :Socket, :Socket.open
const socket: Socket | undefined = Math.random() > 0.5 ? new Socket() : undefined; // calls :Socket
socket?.close(); // calls :Socket.close
const target = socket ?? new Socket(); // calls :Socket
target.close(); // calls :Socket.close
