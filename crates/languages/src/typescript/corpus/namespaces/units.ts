export namespace units {
  const factor = 10;

  export function scale(value: number): number {
    return inner(value) * factor; // calls :units.inner
  }

  function inner(value: number): number {
    return value;
  }

  export namespace length {
    export function scale(value: number): number {
      return inner(value) / 2; // calls :units.inner
    }

    export class Meter {
      scaled(): number {
        return scale(1) + units.scale(2); // calls :units.length.scale, :units.scale
      }
    }
  }
}

export function parse(text: string): parse.Result {
  return parse.trimmed(text); // calls :parse.trimmed
}

export namespace parse {
  export interface Result {
    show(): string;
  }
  export function trimmed(text: string): Result {
    return { show: () => text.trim() };
  }
}

export class Color {
  static parse(text: string): Color {
    return Color.from(Number(text)); // calls :Color.from
  }
}

export namespace Color {
  export const from = (value: number): Color => new Color(); // calls :Color
}

export enum Level {
  Low,
  High,
}

export namespace Level {
  export function next(level: Level): Level {
    return level === Level.Low ? Level.High : Level.Low;
  }
}
