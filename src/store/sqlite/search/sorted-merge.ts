/** Merges sorted inputs (k-way, by a heap); equal items keep the order of the inputs. */
export function* mergeSorted<Item>(
  inputs: readonly Iterable<Item>[],
  compare: (one: Item, other: Item) => number,
): Generator<Item> {
  const heads = inputs.flatMap((input, order) => {
    const items = input[Symbol.iterator]();
    const { done, value } = items.next();
    return done ? [] : [{ item: value as Item, items, order }];
  });
  type Head = (typeof heads)[number];
  const isBefore = (one: Head, other: Head): boolean => (compare(one.item, other.item) || one.order - other.order) < 0;
  const siftDown = (start: number) => {
    const head = heads[start];
    let node = start;
    for (;;) {
      let child = 2 * node + 1;
      if (child >= heads.length) break;
      if (child + 1 < heads.length && isBefore(heads[child + 1], heads[child])) child += 1;
      if (!isBefore(heads[child], head)) break;
      heads[node] = heads[child];
      node = child;
    }
    heads[node] = head;
  };
  for (let node = heads.length >>> 1; node >= 0; node--) if (node < heads.length) siftDown(node);
  while (heads.length > 0) {
    const [head] = heads;
    yield head.item;
    const { done, value } = head.items.next();
    if (!done) head.item = value as Item;
    else {
      const last = heads.pop();
      if (heads.length === 0 || last === undefined) return;
      heads[0] = last;
    }
    siftDown(0);
  }
}
