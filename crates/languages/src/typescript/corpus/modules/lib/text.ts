export function trim(text: string): string {
  return text.trim();
}

function secret(): void {}

export default function open(): void {
  secret(); // calls :secret
}

export { secret as visible };
