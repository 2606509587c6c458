const App = <T,>({ items }: Props<T>) => <List each={items}>{(x) => <Row key={x.id} {...x} onClick={() => go(x)} />}</List>;
export default memo(App);
