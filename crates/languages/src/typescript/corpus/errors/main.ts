import { AppError, NotFound, attempt, type Result } from "./result";

class Token {
  label(): string {
    return "token";
  }
}

function read(): Token {
  throw new NotFound("missing"); // calls result.ts:NotFound
}

function assertToken(value: unknown): asserts value is Token {
  if (!(value instanceof Token)) throw new TypeError("no token");
}

const result: Result<Token> = attempt(() => read()); // calls result.ts:attempt, :read
if (result.ok) {
  result.value.label(); // calls :Token.label
} else {
  result.error.label(); // calls result.ts:AppError.label
}

function show(value: unknown): string {
  try {
    assertToken(value); // calls :assertToken
    return value.label(); // calls :Token.label (missed)
  } catch (error) {
    if (error instanceof NotFound) {
      return error.path() + error.label(); // calls result.ts:NotFound.path, result.ts:AppError.label
    } else if (error instanceof TypeError) {
      return error.toString();
    }
    return AppError.wrap(error).label(); // calls result.ts:AppError.wrap, result.ts:AppError.label
  } finally {
    release(); // calls :release
  }
}

function release(): void {}

function check(result: Result<Token>): Token {
  if (!result.ok) {
    throw result.error.toString();
  }
  return result.value;
}
check(result).label(); // calls :check, :Token.label
show(1).trim(); // calls :show
NotFound.wrap("x").label(); // calls result.ts:AppError.wrap, result.ts:AppError.label
