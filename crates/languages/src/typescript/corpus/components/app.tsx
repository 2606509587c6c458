import React, { Component, useCallback, useState } from "react";
import { Input, Menu, Quick, Row, type RowProps, Title } from "./parts";
import * as parts from "./parts";

type State = { open: boolean };

export class Panel extends Component<RowProps, State> {
  private toggle = () => {
    this.setState({ open: this.next() }); // calls :Panel.next
  };

  next(): boolean {
    this.props.onPick("next"); // calls parts.tsx:RowProps.onPick (missed)
    return !this.state.open;
  }

  render() {
    return (
      <div onClick={() => this.toggle()} // calls :Panel.toggle
      >
        <Title // calls parts.tsx:Title
          text={title("panel")} // calls :title
        />
        {this.renderBody() // calls :Panel.renderBody
        }
      </div>
    );
  }

  private renderBody() {
    return <Row {...this.props} />; // calls parts.tsx:Row
  }
}

function title(text: string): string {
  return text;
}

export default function App({ rows }: { rows: RowProps[] }) {
  const [name, setName] = useState("");
  const pick = useCallback((label: string) => setName(title(label)), []); // calls :title
  pick(name);
  const Local = () => <parts.Quick label="q" onPick={pick} />; // calls parts.tsx:Quick
  // A lower case tag is an element, not this function.
  return (
    <title>
      {rows.map((row) => (
        <Quick {...row} /> // calls parts.tsx:Quick
      ))}
      <Menu.Group // calls parts.tsx:Menu.Group
      >
        <Menu.Item name="one" // calls parts.tsx:Menu.Item
        />
      </Menu.Group>
      <Local // calls :App.Local
      />
      {name ? <Panel label="p" onPick={pick} /> : null // calls :Panel
      }
      <Input label="i" onPick={pick} // calls parts.tsx:Input
      />
    </title>
  );
}
