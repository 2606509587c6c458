import React from "react";
import styles, { css as style } from "./style.mjs";

/** @param {{ text: string, onRemove: () => void }} props */
const Item = ({ text, onRemove }) => {
  const remove = () => {
    log`removed ${text}`; // calls :log
    onRemove();
  };
  return <li onClick={remove}>{text}</li>;
};

function log(parts, ...values) {
  return parts.join("") + values.length;
}

export class List extends React.Component {
  state = { items: ["a"] };

  remove(text) {
    this.setState({ items: without(this.state.items, text) }); // calls :without
  }

  items() {
    return this.state.items.map((text) => (
      <Item key={text} text={text} onRemove={() => this.remove(text)} /> // calls :Item, :List.remove
    ));
  }

  render() {
    const { items } = this.state;
    const Tag = items.length ? "ul" : "p";
    return (
      <Tag style={style("x")} // calls style.mjs:css
        className={styles.name()} // calls style.mjs:name
      >
        {this.items() // calls :List.items
        }
      </Tag>
    );
  }
}

const without = (items, text) => items.filter((one) => one !== text);

export default () => <List />; // calls :List
