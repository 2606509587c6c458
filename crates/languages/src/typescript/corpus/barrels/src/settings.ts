export function load(): { save(): void } {
  return { save() {} };
}

export function create(): void {}
