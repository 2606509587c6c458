export function debounce<A extends unknown[]>(run: (...args: A) => void, wait: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = () => clearTimeout(timer);
  return (...args) => {
    clear(); // calls :debounce.clear
    timer = setTimeout(() => run(...args), wait);
  };
}

export const report = function log(value: number, depth = 0): void {
  console.log(value);
  if (depth > 3) log(value, depth - 1); // calls :report
};
