export class AppError extends Error {
  constructor(message: string, readonly code = 1) {
    super(message);
    this.name = this.label(); // calls :AppError.label
  }

  label(): string {
    return `E${this.code}`;
  }

  static wrap(error: unknown): AppError {
    if (error instanceof AppError) return error.again(); // calls :AppError.again
    return new this(String(error)); // calls :AppError.constructor
  }

  protected again(): AppError {
    return this;
  }
}

export class NotFound extends AppError {
  path(): string {
    return this.message;
  }
}

export interface Ok<T> {
  ok: true;
  value: T;
}

export interface Failed {
  ok: false;
  error: AppError;
}

export type Result<T> = Ok<T> | Failed;

export function attempt<T>(run: () => T): Result<T> {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    return { ok: false, error: AppError.wrap(error) }; // calls :AppError.wrap
  }
}
