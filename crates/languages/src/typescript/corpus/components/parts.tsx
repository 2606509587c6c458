import * as React from "react";
import { memo, forwardRef } from "react";

export interface RowProps {
  label: string;
  onPick(label: string): void;
}

export function Row({ label, onPick }: RowProps) {
  const pick = () => onPick(label); // calls :RowProps.onPick
  return <button onClick={() => pick()}>{label}</button>; // calls :Row.pick
}

export const Title: React.FC<{ text: string }> = ({ text }) => {
  const lower = useLower(text); // calls :useLower
  return <h1>{lower}</h1>;
};

export const Quick = memo(function Quick(props: RowProps) {
  return <Row {...props} />; // calls :Row
});

export const Input = forwardRef<HTMLInputElement, RowProps>((props, ref) => (
  <input ref={ref} onChange={() => props.onPick("x")} /> // calls :RowProps.onPick (missed)
));

export function useLower(text: string): string {
  return React.useMemo(() => lower(text), [text]); // calls :lower
}

const lower = (text: string) => text.toLowerCase();

export const Menu = {
  Item: ({ name }: { name: string }) => <li>{name}</li>,
  Group(props: { children: React.ReactNode }) {
    return <ul>{props.children}</ul>;
  },
};
